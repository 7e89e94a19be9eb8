package org.apache.spark.sql.execution.access

import scala.concurrent.Future

import org.apache.spark.{MapOutputStatistics, ShuffleDependency}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike

/** A shuffle that runs as a stage of its own. */
trait MapStageExchange extends ShuffleExchangeLike {
  protected def dependency: ShuffleDependency[Int, _, _]

  @transient override protected lazy val mapOutputStatisticsFuture: Future[MapOutputStatistics] =
    if (dependency.rdd.getNumPartitions == 0) Future.successful(null) else sparkContext.submitMapStage(dependency)
}
