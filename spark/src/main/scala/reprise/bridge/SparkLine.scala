package reprise.bridge

import java.util.Properties

import scala.util.Using

/** The line of Spark's releases that the plug-in is compiled for, such as 4.1: other lines lack methods that it calls. */
private[reprise] object SparkLine {
  lazy val ofJar: String = {
    val properties = new Properties
    Using.resource(getClass.getResourceAsStream("/reprise/spark.properties"))(properties.load(_))
    properties.getProperty("spark")
  }

  /**
   * @param running the version of the Spark that has loaded the plug-in, such as 4.1.3
   * @throws IllegalArgumentException where it is of another line
   */
  def check(running: String): Unit =
    if (!running.startsWith(s"$ofJar.")) {
      val line = running.split('.').take(2).mkString(".")
      throw new IllegalArgumentException(
        s"this plug-in is for Spark $ofJar, and here is Spark $running: take reprise-spark-${line}_2.13.jar, " +
          s"which `make build SPARK=$line` builds where Reprise knows that version")
    }
}
