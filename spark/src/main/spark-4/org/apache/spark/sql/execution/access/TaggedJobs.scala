package org.apache.spark.sql.execution.access

import org.apache.spark.SparkContext

/** Jobs that bear a tag. */
object TaggedJobs {
  def cancel(context: SparkContext, tag: String, reason: String): Unit = context.cancelJobsWithTag(tag, reason)
}
