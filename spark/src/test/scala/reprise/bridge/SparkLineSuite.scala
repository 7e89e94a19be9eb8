package reprise.bridge

import scala.util.Properties

import org.apache.spark.SPARK_VERSION
import org.scalatest.funsuite.AnyFunSuite

class SparkLineSuite extends AnyFunSuite {

  test("the jar knows which Spark and which Scala it is for") {
    assert(SPARK_VERSION.startsWith(SparkLine.ofJar))
    assert(Properties.versionNumberString.startsWith(SparkLine.scalaOfJar))
    SparkLine.checkRunning()
  }

  test("another Spark is refused with the jar to take") {
    Seq("3.4.7" -> "3.4", "4.10.0" -> "4.10", "4" -> "4").foreach { case (running, line) =>
      val e = intercept[IllegalArgumentException](SparkLine.check(running, "2.13.17"))
      assert(e.getMessage.startsWith(
        s"this plug-in is for Spark ${SparkLine.ofJar} with Scala ${SparkLine.scalaOfJar}, and here is Spark $running " +
          s"with Scala 2.13: take reprise-spark-${line}_2.13.jar"))
    }
  }

  test("so is another Scala of the same Spark") {
    val e = intercept[IllegalArgumentException](SparkLine.check(SPARK_VERSION, "3.9.1"))
    assert(e.getMessage.contains(s"take reprise-spark-${SparkLine.ofJar}_3.9.jar"))
    assert(e.getMessage.contains(s"`make build SPARK=${SparkLine.ofJar} SCALA=3.9`"))
  }
}
