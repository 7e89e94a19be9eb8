package reprise

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.SparkPlan
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import reprise.access.SparkTypes
import reprise.bridge.NativeLibrary

/** A suite with a session of its own; `settings` are added to its configuration. */
abstract class SparkSuite extends AnyFunSuite with BeforeAndAfterAll {
  protected def settings: Map[String, String] = Map.empty

  protected lazy val spark: SparkSession = {
    val builder = SparkSession
      .builder()
      .master("local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.sql.warehouse.dir", s"${System.getProperty("java.io.tmpdir")}/warehouse")
    // As it is in later versions unless it is set.
    if (!isSince("4.0")) builder.config("spark.sql.ansi.enabled", "true")
    settings.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }

  /** Whether the tests have the core: `-Dreprise.library.path`. */
  protected def hasCore: Boolean = sys.props.get(NativeLibrary.pathProperty).exists(_.nonEmpty)

  /** A test that needs the core. */
  protected def nativeTest(name: String)(body: => Unit): Unit = test(name) {
    assume(hasCore, "no native library")
    body
  }

  /** Whether the Spark that is tested is of the version, as in "4.0", or a later one. */
  protected def isSince(version: String): Boolean = {
    def numbers(of: String): (Int, Int) = {
      val Array(major, minor) = of.split('.').take(2).map(_.toInt)
      (major, minor)
    }
    Ordering[(Int, Int)].gteq(numbers(SPARK_VERSION), numbers(version))
  }

  /** What runs a query. */
  protected def executed(df: DataFrame): SparkPlan =
    df.asInstanceOf[SparkTypes.Dataset[_]].queryExecution.executedPlan

  override def afterAll(): Unit = {
    spark.stop()
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
  }

  /** Runs `body` with the setting, and puts back what there was. */
  protected def withSetting[T](key: String, value: String)(body: => T): T = {
    val before = spark.conf.getOption(key)
    spark.conf.set(key, value)
    try body
    finally before.fold(spark.conf.unset(key))(spark.conf.set(key, _))
  }
}
