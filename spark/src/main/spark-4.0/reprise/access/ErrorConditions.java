package reprise.access;

/** What this version of Spark calls the conditions of errors. */
final class ErrorConditions {
  private ErrorConditions() {}

  /** @param condition as the core names it */
  static String named(String condition) {
    // Of a remainder too.
    return condition.equals("REMAINDER_BY_ZERO") ? "DIVIDE_BY_ZERO" : condition;
  }
}
