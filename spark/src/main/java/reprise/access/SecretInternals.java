package reprise.access;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkConf;
import org.apache.spark.internal.config.package$;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.SerializableJobConf;

import scala.util.matching.Regex;

/** What Spark keeps to itself of settings that are secrets, and of those that travel to tasks. */
public final class SecretInternals {
  private SecretInternals() {}

  /** {@code spark.redaction.regex}. */
  public static Regex pattern(SparkConf conf) {
    return conf.get(package$.MODULE$.SECRET_REDACTION_PATTERN());
  }

  /** The configuration that a value wraps, or null where it wraps none. */
  public static Configuration wrapped(Object value) {
    if (value instanceof SerializableConfiguration) return ((SerializableConfiguration) value).value();
    if (value instanceof SerializableJobConf) return ((SerializableJobConf) value).value();
    if (value instanceof SerializableWritable) {
      Object written = ((SerializableWritable<?>) value).value();
      return written instanceof Configuration ? (Configuration) written : null;
    }
    return null;
  }

  /** Another one of the same class. */
  public static Object wrappedAnew(Object value, Configuration conf) {
    if (value instanceof SerializableJobConf) return new SerializableJobConf(new JobConf(conf));
    if (value instanceof SerializableWritable) {
      return new SerializableWritable<>(wrapped(value) instanceof JobConf ? new JobConf(conf) : conf);
    }
    return new SerializableConfiguration(conf);
  }
}
