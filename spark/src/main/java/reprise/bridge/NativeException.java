package reprise.bridge;

import java.util.LinkedHashMap;
import java.util.Map;

/** An error of the core. */
public final class NativeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String condition;
  private final String[] parameters;
  private final String context;

  /**
   * Called by the native library.
   *
   * @param condition Spark's error condition ("DIVIDE_BY_ZERO"), or the class of what Java itself raises, whose
   *     message is the parameter "message"; null where Spark has none for it
   * @param parameters the condition's message parameters: name, value, name, value …
   * @param context the key of the place in the query that Spark's error shows; "" where it shows none
   */
  public NativeException(String message, String condition, String[] parameters, String context) {
    super(message);
    this.condition = condition;
    this.parameters = parameters;
    this.context = context;
  }

  /** Spark's error condition, or null. */
  public String condition() {
    return condition;
  }

  /** The key of the place in the query that the error shows, or "". */
  public String context() {
    return context;
  }

  /** The condition's message parameters by name; empty without a condition. */
  public Map<String, String> parameters() {
    Map<String, String> byName = new LinkedHashMap<>();
    for (int i = 0; i + 1 < parameters.length; i += 2) {
      byName.put(parameters[i], parameters[i + 1]);
    }
    return byName;
  }
}
