package reprise.exec

import org.apache.spark.SparkException
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.connector.write.WriterCommitMessage
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.access.{FilePiece, WriteTask, WrittenParquet}
import org.apache.spark.sql.execution.datasources.{WriteFilesExec, WriteFilesSpec}
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.access.SparkTypes.WriteFilesBase

/**
 * The tasks of a write: the core encodes the files, Spark's committer says where they go and when they count. What is
 * done on the driver stays Spark's. Its statistics of files are counted as Spark's writers have them counted; those
 * that look at rows, and what else the plan does not tell, leave the write to Spark.
 */
case class NativeWriteFilesExec(
    original: WriteFilesExec,
    verdict: NativeVerdict,
    exprs: Seq[Expression],
    child: SparkPlan)
  extends WriteFilesBase
  with NativeOperatorExec
  with Logging {

  override def output: Seq[Attribute] = original.output
  override lazy val metrics: Map[String, SQLMetric] = createCoreMetrics(Map.empty)

  override protected def doExecuteWrite(spec: WriteFilesSpec): RDD[WriterCommitMessage] =
    WrittenParquet.whyLeft(spec.description, original) match {
      case Some(reason) =>
        logWarning(s"Spark writes the files of $nodeName: $reason")
        asSpark.executeWrite(spec)
      case None => written(spec)
    }

  override protected def doExecute(): RDD[InternalRow] =
    throw SparkException.internalError(s"$nodeName gives no rows")

  private def written(spec: WriteFilesSpec): RDD[WriterCommitMessage] = {
    val pieces = Fragment.made(this, PieceOutput) { fragment =>
      fragment.values.addWrite(WrittenParquet.write(spec.description, original))
      fragment.add(this)
    }
    // Spark has a file without rows written by a partition of its own.
    if (pieces.getNumPartitions == 0) asSpark.executeWrite(spec)
    else NativeWriteFilesExec.tasks(spec, pieces)
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
}

object NativeWriteFilesExec {

  /** Apart from the node, which does not travel to tasks. */
  private def tasks(spec: WriteFilesSpec, pieces: RDD[FilePiece]): RDD[WriterCommitMessage] = {
    val description = spec.description
    val committer = spec.committer
    val jobTrackerId = WriteTask.jobTrackerId()
    pieces.mapPartitions(files => Iterator[WriterCommitMessage](WriteTask.run(description, committer, jobTrackerId, files)))
  }
}
