package reprise.exec

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.datasources.PartitionedFile

import reprise.access.SparkReading
import reprise.bridge.NativeException

/**
 * What Spark says of files that cannot be read. Users look at the class, the condition and the causes, which are those
 * of Spark's reader and of what it uses: so where the core fails, Spark's reader is given the same split to fail at.
 */
private[exec] object FailedReads {
  private val condition = "FAILED_READ_FILE"

  /** Spark's error of the file that `native` names; `native` itself where Spark can read the file. */
  def asSpark(native: SparkException, inputs: Seq[FileInput]): Throwable = {
    val failures = for {
      path <- pathOf(native).iterator
      input <- inputs.iterator
      file <- input.files.files.iterator if isAt(file, path)
      failure <- Option(SparkReading.failure(file, input.columns, input.partitionSchema, input.conf.orNull))
    } yield failure
    if (failures.hasNext) failures.next() else native
  }

  /** As the core has said it: not every Spark knows the condition by this name. */
  private def pathOf(error: SparkException): Option[String] = error.getCause match {
    case native: NativeException =>
      Option(native.condition).filter(_.startsWith(condition)).flatMap(_ => Option(native.parameters.get("path")))
    case _ => None
  }

  /** @param path as the core has it: of the local file system, or else the split's own */
  private def isAt(file: PartitionedFile, path: String): Boolean =
    file.urlEncodedPath == path || file.toPath.toUri.getPath == path
}
