package reprise.access;

/** What this version of Spark calls the conditions of errors. */
final class ErrorConditions {
  private ErrorConditions() {}

  /** @param condition as the core names it */
  static String named(String condition) {
    return condition;
  }
}
