package reprise.access;

import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a closure of a recorded shell, whose classes have other names here: {@link
 * java.lang.invoke.SerializedLambda} holds names in texts, which no stream resolves. It has that
 * class's simple name, fields and version number, so that a stream takes the one for the other.
 */
public final class SerializedLambda implements Serializable {
  private static final long serialVersionUID = 8025925345765570181L;
  private static final Pattern SHELL = Pattern.compile("\\$line\\d+(?=/)");
  private static final Pattern RENAMED = Pattern.compile("\\$line\\d+(\\$of\\$\\w+)\\..*");

  private Class<?> capturingClass;
  private String functionalInterfaceClass;
  private String functionalInterfaceMethodName;
  private String functionalInterfaceMethodSignature;
  private String implClass;
  private String implMethodName;
  private String implMethodSignature;
  private int implMethodKind;
  private String instantiatedMethodType;
  private Object[] capturedArgs;

  private SerializedLambda() {}

  private Object readResolve() throws Throwable {
    java.lang.invoke.SerializedLambda lambda = new java.lang.invoke.SerializedLambda(
        capturingClass, renamed(functionalInterfaceClass), functionalInterfaceMethodName,
        renamed(functionalInterfaceMethodSignature), implMethodKind, renamed(implClass),
        implMethodName, renamed(implMethodSignature), renamed(instantiatedMethodType),
        capturedArgs);
    Method make = capturingClass.getDeclaredMethod(
        "$deserializeLambda$", java.lang.invoke.SerializedLambda.class);
    make.setAccessible(true);
    try {
      return make.invoke(null, lambda);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Its class has been found under its other name. */
  private String renamed(String text) {
    Matcher name = RENAMED.matcher(capturingClass.getName());
    return name.matches()
        ? SHELL.matcher(text).replaceAll("$0" + Matcher.quoteReplacement(name.group(1))) : text;
  }
}
