package reprise.replay

import org.apache.spark.sql.SparkSession

import reprise.bridge.{Native, NativeLibrary, ReplayedDumps, ReplayedOperator}

/** What `reprise shrink` starts where Spark's operators have a say: shrinks dumps in this JVM. */
object SparkShrink extends SparkProgram {
  override protected def run(
      folder: String,
      options: Seq[String],
      session: SparkSession,
      settings: Map[String, String]): Int = {
    val dumps = new ReplayedDumps with AutoCloseable {
      private var opened: Option[OperatorOnSpark] = None

      override def open(candidate: String): ReplayedOperator = {
        close()
        val operator = SparkReplay.open(candidate, session, settings)
        opened = Some(operator)
        operator
      }

      override def close(): Unit = opened.foreach(_.close())
    }
    NativeLibrary.ensureLoaded()
    try Native.shrink((options :+ folder).toArray, dumps)
    finally dumps.close()
  }
}
