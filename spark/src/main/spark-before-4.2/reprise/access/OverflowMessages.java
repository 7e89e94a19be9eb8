package reprise.access;

import java.util.Map;

/** How this version of Spark says what overflowed. */
final class OverflowMessages {
  private OverflowMessages() {}

  /** @param ofCore the parameters of the condition as the core gives them: "integer overflow" */
  static Map<String, String> parameters(String condition, Map<String, String> ofCore) {
    return ofCore;
  }
}
