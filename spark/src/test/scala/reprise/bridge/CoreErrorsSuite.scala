package reprise.bridge

import org.apache.spark.{SparkException, SparkThrowable}
import org.scalatest.funsuite.AnyFunSuite

class CoreErrorsSuite extends AnyFunSuite {

  private def spark(condition: String, parameters: String*): Exception =
    CoreErrors.toSpark(new NativeException("RepriseProject [loreId=3]: says the core", condition, parameters.toArray))

  private def cast(target: String): Exception = spark(
    "CAST_INVALID_INPUT",
    "expression",
    "'x'",
    "sourceType",
    "\"STRING\"",
    "targetType",
    target,
    "ansiConfig",
    "\"spark.sql.ansi.enabled\"")

  test("a condition becomes Spark's own exception, with the core's as its cause") {
    val e = spark("DIVIDE_BY_ZERO", "config", "\"spark.sql.ansi.enabled\"")
    assert(e.getClass.getSimpleName == "SparkArithmeticException")
    assert(e.getMessage.startsWith("[DIVIDE_BY_ZERO] Division by zero."))
    assert(e.asInstanceOf[SparkThrowable].getSqlState == "22012")
    assert(e.getCause.getMessage == "RepriseProject [loreId=3]: says the core")
  }

  test("the class depends on the target of a cast") {
    assert(cast("\"INT\"").getClass.getSimpleName == "SparkNumberFormatException")
    assert(cast("\"DECIMAL(5,2)\"").getClass.getSimpleName == "SparkNumberFormatException")
    assert(cast("\"DATE\"").getClass.getSimpleName == "SparkDateTimeException")
    assert(cast("\"BOOLEAN\"").getClass.getSimpleName == "SparkRuntimeException")
  }

  test("without a condition, or with one that Spark does not know, the core's text remains") {
    assert(spark(null).getMessage == "RepriseProject [loreId=3]: says the core")
    val unknown = spark("NO_SUCH_CONDITION", "a", "b")
    assert(unknown.isInstanceOf[SparkException])
    assert(unknown.getMessage == "[NO_SUCH_CONDITION] RepriseProject [loreId=3]: says the core")
  }
}
