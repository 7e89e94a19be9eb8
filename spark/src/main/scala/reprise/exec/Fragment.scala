package reprise.exec

import scala.collection.mutable

import org.apache.spark.{SPARK_VERSION, SparkException}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD}
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceRDDPartition, FileScan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.types.StructType

import reprise.bridge.{CoreErrors, Native, SessionConf}

/** Puts a connected piece of native operators together, on the driver, when it is about to run. */
private[exec] object Fragment {

  /** @param toRow figures of the transition to rows, by name; only known names are counted */
  def rows(root: NativeExec, toRow: Map[String, SQLMetric]): RDD[InternalRow] = {
    val fragment = new Fragment
    val json = fragment.add(root)
    val partitions = fragment.partitionCount
    fragment.captures.foreach(_.begin(partitions, root))
    new FragmentRDD(
      root.session.sparkContext,
      json,
      root.output.length,
      SessionConf.batchRows(root.conf),
      fragment.leaves.toSeq,
      new FragmentMetrics(fragment.metrics.toSeq, fragment.scans.toSeq, toRow))
  }

  /** An operator that is to be dumped. @param inputs its number of inputs */
  final case class Capture(json: String, operator: String, inputs: Int) {
    def begin(partitions: Int, root: SparkPlan): Unit = {
      val input = s"""{"partitions":$partitions,"replicated":false}"""
      val versions = s"""{"spark":"$SPARK_VERSION","reprise":"${SessionConf.version}"}"""
      val request = s"""{"capture":$json,"operator":$operator,"conf":${SessionConf.json(root.conf)},""" +
        s""""versions":$versions,"inputs":[${Seq.fill(inputs)(input).mkString(",")}],"outputPartitions":$partitions}"""
      CoreErrors.translated(Native.beginDump(request))
    }
  }
}

private final class Fragment {
  import Fragment.Capture

  val leaves = mutable.ArrayBuffer.empty[Leaf]
  val captures = mutable.ArrayBuffer.empty[Capture]

  /** Of all operators in pre-order, as the core reports them. */
  val metrics = mutable.ArrayBuffer.empty[SQLMetric]

  /** Where in `metrics` the scans' bytes and rows stand. */
  val scans = mutable.ArrayBuffer.empty[ScanFigures]

  def partitionCount: Int = {
    val counts = leaves.map(_.partitionCount).distinct
    if (counts.length != 1) {
      throw SparkException.internalError(s"a fragment's inputs have different numbers of partitions: $counts")
    }
    counts.head
  }

  /** The fragment's JSON, as core/operators/fragment.h says. */
  def add(node: NativeExec): String = node.whenReady {
    val verdict = node.verdict
    val first = metrics.length
    metrics ++= node.coreMetrics
    val capture = verdict.capture.fold("")(c => s""","capture":$c""")
    verdict.capture.foreach(captures += Capture(_, verdict.operator, node.children.length))
    if (verdict.readsFiles) {
      scans += ScanFigures(
        first + verdict.metrics.indexWhere(_.name == "bytesRead"),
        first + verdict.metrics.indexWhere(_.name == "numOutputRows"))
      s"""{"leaf":${addLeaf(fileLeaf(node.current))},"operator":${verdict.operator}$capture}"""
    } else {
      val inputs = node.children.zip(verdict.rowInputs).map {
        case (child: NativeExec, None) => add(child)
        case (child: RowToNativeExec, Some(spec)) => addRows(child, spec)
        case (child, _) => throw SparkException.internalError(s"${node.nodeName} cannot read from ${child.nodeName}")
      }
      s"""{"operator":${verdict.operator},"inputs":[${inputs.mkString(",")}]$capture}"""
    }
  }

  private def addRows(node: RowToNativeExec, spec: String): String = {
    metrics ++= node.coreMetrics
    s"""{"leaf":${addLeaf(RowLeaf(node.execute(), node.schema))},"operator":$spec}"""
  }

  private def addLeaf(leaf: Leaf): Int = {
    leaves += leaf
    leaves.length - 1
  }

  private def fileLeaf(scan: SparkPlan): Leaf = scan match {
    case v1: FileSourceScanExec =>
      v1.inputRDD match {
        case files: FileScanRDD => FileLeaf(files.filePartitions.toIndexedSeq, v1.relation.partitionSchema)
        case other => unknownScan(other)
      }
    case v2: BatchScanExec =>
      val partitions = v2.inputRDD.partitions.toIndexedSeq.map {
        case p: DataSourceRDDPartition => joined(p)
        case other => FilePartition(other.index, Array.empty)
      }
      FileLeaf(partitions, v2.scan.asInstanceOf[FileScan].readPartitionSchema)
    case other => unknownScan(other)
  }

  private def joined(partition: DataSourceRDDPartition): FilePartition =
    FilePartition(partition.index, partition.inputPartitions.toArray.flatMap {
      case files: FilePartition => files.files
      case other => unknownScan(other)
    })

  private def unknownScan(found: Any): Nothing =
    throw SparkException.internalError(s"a scan whose files cannot be found: ${found.getClass.getName}")
}

/** Positions of a scan's figures among those of its fragment; -1 where it has none. */
private[exec] final case class ScanFigures(bytes: Int, rows: Int)

/** What a fragment reads. */
private[exec] sealed trait Leaf extends Serializable {
  def partitionCount: Int
}

/** Splits of files. `partitions` stays on the driver: each task gets its own. */
private[exec] final case class FileLeaf(
    @transient partitions: IndexedSeq[FilePartition],
    partitionSchema: StructType)
  extends Leaf {
  override def partitionCount: Int = partitions.length
}

/** Rows of Spark. `rdd` is kept by the dependency. */
private[exec] final case class RowLeaf(@transient rdd: RDD[InternalRow], schema: StructType) extends Leaf {
  override def partitionCount: Int = rdd.getNumPartitions
}
