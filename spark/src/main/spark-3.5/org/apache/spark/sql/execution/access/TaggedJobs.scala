package org.apache.spark.sql.execution.access

import org.apache.spark.SparkContext

/** Jobs that bear a tag. */
object TaggedJobs {

  /** @param reason which this version does not take */
  def cancel(context: SparkContext, tag: String, reason: String): Unit = context.cancelJobsWithTag(tag)
}
