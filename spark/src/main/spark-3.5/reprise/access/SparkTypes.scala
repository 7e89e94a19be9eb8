package reprise.access

import javax.servlet.http

import org.apache.spark.sql
import org.apache.spark.sql.execution
import org.apache.spark.sql.execution.datasources
import org.apache.spark.sql.internal.SQLConf

/** What other versions of Spark have under other names. */
object SparkTypes {
  type Dataset[T] = sql.Dataset[T]
  type Session = sql.SparkSession
  type FileListing = Array[datasources.PartitionDirectory]
  type WriteFilesBase = execution.UnaryExecNode
  type Servlet = http.HttpServlet
  type Request = http.HttpServletRequest
  type Response = http.HttpServletResponse

  /** Whether null IN an empty list is null. */
  def isNullInEmptyNull(conf: SQLConf): Boolean = conf.getConf(SQLConf.LEGACY_NULL_IN_EMPTY_LIST_BEHAVIOR)
}
