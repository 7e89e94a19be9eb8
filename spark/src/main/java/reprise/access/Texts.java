package reprise.access;

import org.apache.spark.unsafe.types.UTF8String;

/** Spark's strings, which may hold any bytes. */
public final class Texts {
  private Texts() {}

  /** Whether the bytes are valid UTF-8. */
  public static boolean isText(UTF8String bytes) {
    return UTF8String.fromString(bytes.toString()).equals(bytes);
  }
}
