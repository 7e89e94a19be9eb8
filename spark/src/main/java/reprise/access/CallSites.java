package reprise.access;

import java.util.List;

import org.apache.spark.SparkContext;
import org.apache.spark.util.CallSite;
import org.apache.spark.util.Utils;

import scala.Function1;

/** The lines of users that Spark calls RDDs and jobs by. */
public final class CallSites {
  /** An application may have a package of the name. */
  private static final List<String> REPRISES =
      List.of("reprise.bridge.", "reprise.exec.", "reprise.lineage.", "reprise.access.");

  private CallSites() {}

  public static boolean isSet(SparkContext context) {
    return context.getLocalProperty(CallSite.SHORT_FORM()) != null;
  }

  /** Calls what this thread makes from now on by the first line up the stack that is neither Spark's nor Reprise's. */
  public static void set(SparkContext context) {
    Function1<String, Object> isSparks = Utils.getCallSite$default$1();
    context.setCallSite(Utils.getCallSite(name -> isReprises(name) || (Boolean) isSparks.apply(name)));
  }

  private static boolean isReprises(String className) {
    return REPRISES.stream().anyMatch(className::startsWith) || className.equals("reprise.EventReplayer");
  }
}
