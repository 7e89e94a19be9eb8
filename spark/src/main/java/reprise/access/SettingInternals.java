package reprise.access;

import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;

import scala.Function1;

/** Spark's typed entries of settings, which Scala keeps {@code private} and the JVM does not. */
public final class SettingInternals {
  private SettingInternals() {}

  /**
   * What Spark reads for a setting: of all its names, in the letter case that it compares with, or its default.
   *
   * @return null where this version of Spark has no such setting
   * @throws RuntimeException where Spark cannot read what the session has set
   */
  public static String read(SQLConf conf, String key) {
    ConfigEntry<?> entry = SQLConf$.MODULE$.getConfigEntry(key);
    return entry == null ? null : read(conf, entry);
  }

  private static <T> String read(SQLConf conf, ConfigEntry<T> entry) {
    Function1<T, String> text = entry.stringConverter();
    return text.apply(conf.getConf(entry));
  }
}
