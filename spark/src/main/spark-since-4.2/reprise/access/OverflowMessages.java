package reprise.access;

import java.util.HashMap;
import java.util.Map;

/** How this version of Spark says what overflowed: of integers not which, as the JVM may not tell it. */
final class OverflowMessages {
  private OverflowMessages() {}

  /** @param ofCore the parameters of the condition as the core gives them: "integer overflow" */
  static Map<String, String> parameters(String condition, Map<String, String> ofCore) {
    String message = ofCore.get("message");
    if (!condition.equals("ARITHMETIC_OVERFLOW") || message == null || !message.matches("\\w+ overflow")) return ofCore;
    Map<String, String> said = new HashMap<>(ofCore);
    said.put("message", "overflow");
    return said;
  }
}
