package reprise

import org.apache.spark.sql.SparkSession
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

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
