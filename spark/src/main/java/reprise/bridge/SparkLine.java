package reprise.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * The line of Spark's releases that the plug-in is compiled for, such as 4.1, and the version of Scala: others lack
 * methods that it calls. In Java, so that it runs with any of them.
 */
public final class SparkLine {
  private SparkLine() {}

  public static String ofJar() {
    return property("spark");
  }

  public static String scalaOfJar() {
    return property("scala");
  }

  private static String property(String name) {
    Properties properties = new Properties();
    try (InputStream in = SparkLine.class.getResourceAsStream("/reprise/spark.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty(name);
  }

  /** Of the Spark that has loaded the plug-in. */
  public static void checkRunning() {
    check(org.apache.spark.package$.MODULE$.SPARK_VERSION(), scala.util.Properties.versionNumberString());
  }

  /**
   * @param spark a version of Spark, such as 4.1.3
   * @param scala of Scala, such as 2.13.17
   * @throws IllegalArgumentException where either is of another line
   */
  public static void check(String spark, String scala) {
    if (spark.startsWith(ofJar() + ".") && scala.startsWith(scalaOfJar() + ".")) return;
    String line = line(spark);
    String binary = line(scala);
    throw new IllegalArgumentException(String.format(
        "this plug-in is for Spark %s with Scala %s, and here is Spark %s with Scala %s: take reprise-spark-%s_%s.jar, "
            + "which `make build SPARK=%s SCALA=%s` builds where Reprise knows that version",
        ofJar(), scalaOfJar(), spark, binary, line, binary, line, binary));
  }

  private static String line(String version) {
    String[] parts = version.split("\\.");
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }
}
