package reprise.bridge

import org.apache.spark.SPARK_VERSION
import org.scalatest.funsuite.AnyFunSuite

class SparkLineSuite extends AnyFunSuite {

  test("the jar knows which Spark it is for") {
    assert(SPARK_VERSION.startsWith(SparkLine.ofJar))
    SparkLine.check(SPARK_VERSION)
  }

  test("another Spark is refused with the jar to take") {
    Seq("3.5.7" -> "3.5", "4.10.0" -> "4.10", "4" -> "4").foreach { case (running, line) =>
      val e = intercept[IllegalArgumentException](SparkLine.check(running))
      assert(e.getMessage.startsWith(
        s"this plug-in is for Spark ${SparkLine.ofJar}, and here is Spark $running: take reprise-spark-${line}_2.13.jar"))
    }
  }
}
