package reprise.bench;

import org.apache.spark.sql.api.java.UDF1;

/** The number of one of TPC-H's clerks, "Clerk#000000951": a function of a user's in Java. */
public final class ClerkNumber implements UDF1<String, Integer> {
  @Override
  public Integer call(String clerk) {
    return clerk == null ? null : Integer.valueOf(clerk.substring(clerk.indexOf('#') + 1));
  }
}
