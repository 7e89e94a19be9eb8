package org.apache.spark.sql.execution.reprise

import scala.concurrent.Future

import org.apache.spark.{MapOutputStatistics, ShuffleDependency}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

/** A shuffle that runs as a stage of its own. In Spark's package, because the type of its figures is Spark's secret. */
trait MapStageExchange extends ShuffleExchangeLike {
  protected def dependency: ShuffleDependency[Int, Array[Byte], Array[Byte]]

  @transient override protected lazy val mapOutputStatisticsFuture: Future[MapOutputStatistics] =
    if (dependency.rdd.getNumPartitions == 0) Future.successful(null) else sparkContext.submitMapStage(dependency)
}
