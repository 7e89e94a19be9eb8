package reprise.exec

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.datasources.PartitionedFile

import reprise.access.SparkReading

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
    failures.nextOption().getOrElse(native)
  }

  private def pathOf(error: SparkException): Option[String] =
    Option(error.getCondition).filter(_.startsWith(condition)).flatMap(_ => Option(error.getMessageParameters.get("path")))

  /** @param path as the core has it: of the local file system, or else the split's own */
  private def isAt(file: PartitionedFile, path: String): Boolean =
    file.urlEncodedPath == path || file.toPath.toUri.getPath == path
}
