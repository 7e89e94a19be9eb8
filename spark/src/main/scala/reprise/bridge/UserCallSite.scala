package reprise.bridge

import org.apache.spark.SparkContext

import reprise.access.CallSites

/** Calls RDDs and jobs that Reprise makes as Spark calls its own: by the user's line that they are made for. */
object UserCallSite {
  def apply[T](context: SparkContext)(body: => T): T =
    if (CallSites.isSet(context)) body
    else {
      CallSites.set(context)
      try body
      finally context.clearCallSite()
    }
}
