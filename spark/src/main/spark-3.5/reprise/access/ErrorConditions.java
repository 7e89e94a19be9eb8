package reprise.access;

/** What this version of Spark calls the conditions of errors. */
final class ErrorConditions {
  private ErrorConditions() {}

  /** @param condition as the core names it */
  static String named(String condition) {
    switch (condition) {
      case "REMAINDER_BY_ZERO":
        return "DIVIDE_BY_ZERO";
      case "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION":
      case "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION":
        return "NUMERIC_VALUE_OUT_OF_RANGE";
      default:
        return condition;
    }
  }
}
