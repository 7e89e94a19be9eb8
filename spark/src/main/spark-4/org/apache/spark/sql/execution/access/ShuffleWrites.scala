package org.apache.spark.sql.execution.access

import org.apache.spark.{ShuffleDependency, TaskContext}
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.{ShuffleWriteMetricsReporter, ShuffleWriteProcessor}

/** Writes a shuffle as it would have been written, while somebody looks on. */
private[access] final class ObservedWrites(writer: ShuffleWriteProcessor, observer: ShuffleObserver)
  extends ShuffleWriteProcessor {

  override protected def createMetricsReporter(context: TaskContext): ShuffleWriteMetricsReporter =
    context.taskMetrics().shuffleWriteMetrics

  override def write(
      records: Iterator[_],
      shuffle: ShuffleDependency[_, _, _],
      map: Long,
      partition: Int,
      context: TaskContext): MapStatus =
    observer.write(records, context)(writer.write(_, shuffle, map, partition, context))
}

private[access] object ShuffleWrites {

  /** How `shuffle` is to be written that `writer` would write. Driver. */
  def observed(shuffle: ShuffleDependency[_, _, _], writer: ShuffleWriteProcessor, observer: ShuffleObserver): AnyRef =
    new ObservedWrites(writer, observer)

  /** What a shuffle map task does with its rows. On the driver. */
  def write(rows: Iterator[_], shuffle: ShuffleDependency[_, _, _], partition: Int, task: TaskContext): Unit =
    shuffle.shuffleWriterProcessor.write(rows, shuffle, task.taskAttemptId(), partition, task)
}
