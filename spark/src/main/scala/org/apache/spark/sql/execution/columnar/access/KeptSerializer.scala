package org.apache.spark.sql.execution.columnar.access

import org.apache.spark.sql.execution.columnar.InMemoryRelation

/** Spark keeps the first serializer of cached tables in a JVM, also for the contexts that come later. */
object KeptSerializer {
  def forget(): Unit = InMemoryRelation.clearSerializer()
}
