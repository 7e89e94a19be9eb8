package reprise.bridge

import org.apache.spark.{SparkException, SparkThrowable}
import org.apache.spark.sql.catalyst.trees.SQLQueryContext
import org.scalatest.funsuite.AnyFunSuite

class CoreErrorsSuite extends AnyFunSuite {

  private def spark(condition: String, parameters: String*): Exception =
    CoreErrors.toSpark(error(condition, parameters, context = ""))

  private def error(condition: String, parameters: Seq[String], context: String) =
    new NativeException("RepriseProject [loreId=3]: says the core", condition, parameters.toArray, context)

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

  test("floating-point numbers are written as the JVM writes them") {
    def overflow(value: String, source: String): String = spark(
      "CAST_OVERFLOW",
      "value",
      value,
      "sourceType",
      source,
      "targetType",
      "\"INT\"",
      "ansiConfig",
      "\"spark.sql.ansi.enabled\"").getMessage
    assert(overflow("2.0E23D", "\"DOUBLE\"").contains(s" ${2.0E23}D "))
    assert(overflow("-5.0E-324D", "\"DOUBLE\"").contains(" -4.9E-324D "))
    assert(overflow("Infinity", "\"DOUBLE\"").contains(" Infinity "))
    assert(overflow("3.3554432E7", "\"FLOAT\"").contains(s" ${3.3554432E7f} "))
    assert(overflow("NaN", "\"FLOAT\"").contains(" NaN "))
    assert(overflow("128L", "\"BIGINT\"").contains(" 128L "))
  }

  test("the place in the query is shown, where the error has one") {
    val context = SQLQueryContext(Some(1), Some(7), Some(7), Some(11), Some("select a / b"), None, None)
    val divided = error("DIVIDE_BY_ZERO", Seq("config", "\"spark.sql.ansi.enabled\""), context = "2f")
    val e = CoreErrors.toSpark(divided, Map("2f" -> context)).asInstanceOf[Exception with SparkThrowable]
    assert(e.getQueryContext.toSeq == Seq(context))
    assert(context.summary.endsWith("(line 1, position 8) ==\nselect a / b\n       ^^^^^\n"))
    assert(e.getMessage.endsWith(context.summary))
    assert(CoreErrors.toSpark(divided).asInstanceOf[SparkThrowable].getQueryContext.isEmpty)
  }

  test("what Java raises stays Java's") {
    val e = spark("java.lang.ArithmeticException", "message", "long overflow")
    assert(e.getClass == classOf[ArithmeticException])
    assert(e.getMessage == "long overflow")
    assert(e.getCause.getMessage == "RepriseProject [loreId=3]: says the core")
  }

  test("without a condition, or with one that Spark does not know, the core's text remains") {
    assert(spark(null).getMessage == "RepriseProject [loreId=3]: says the core")
    val unknown = spark("NO_SUCH_CONDITION", "a", "b")
    assert(unknown.isInstanceOf[SparkException])
    assert(unknown.getMessage == "[NO_SUCH_CONDITION] RepriseProject [loreId=3]: says the core")
  }
}
