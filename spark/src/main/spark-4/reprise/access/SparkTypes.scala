package reprise.access

import jakarta.servlet.http
import org.apache.spark.sql.{classic, execution}
import org.apache.spark.sql.execution.datasources
import org.apache.spark.sql.internal.SQLConf

/** What other versions of Spark have under other names. */
object SparkTypes {
  type Dataset[T] = classic.Dataset[T]
  type Session = classic.SparkSession
  type FileListing = execution.ScanFileListing
  type WriteFilesBase = datasources.WriteFilesExecBase
  type Servlet = http.HttpServlet
  type Request = http.HttpServletRequest
  type Response = http.HttpServletResponse

  /** Whether null IN an empty list is null. */
  def isNullInEmptyNull(conf: SQLConf): Boolean = conf.legacyNullInEmptyBehavior
}
