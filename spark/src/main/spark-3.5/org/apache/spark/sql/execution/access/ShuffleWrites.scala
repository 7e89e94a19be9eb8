package org.apache.spark.sql.execution.access

import org.apache.spark.{Partition, ShuffleDependency, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.{ShuffleWriteMetricsReporter, ShuffleWriteProcessor}

/** Writes a shuffle as it would have been written, while somebody looks on. */
private[access] final class ObservedWrites(writer: ShuffleWriteProcessor, observer: ShuffleObserver, source: GivenRecords)
  extends ShuffleWriteProcessor {

  override protected def createMetricsReporter(context: TaskContext): ShuffleWriteMetricsReporter =
    context.taskMetrics().shuffleWriteMetrics

  override def write(
      rdd: RDD[_],
      shuffle: ShuffleDependency[_, _, _],
      map: Long,
      context: TaskContext,
      partition: Partition): MapStatus =
    observer.write(rdd.iterator(partition, context), context) { records =>
      writer.write(source.of(records), shuffle, map, context, partition)
    }
}

/** Stands for the RDD that this version's writers of shuffles want to get their records from. A task has its own copy. */
private[access] final class GivenRecords(context: SparkContext) extends RDD[Any](context, Nil) {
  @transient private var records: Iterator[Any] = _

  def of(written: Iterator[_]): GivenRecords = {
    records = written
    this
  }

  override protected def getPartitions: Array[Partition] = Array.empty
  override def compute(partition: Partition, context: TaskContext): Iterator[Any] = records
}

private final class WrittenPartition(override val index: Int) extends Partition

private[access] object ShuffleWrites {

  /** How `shuffle` is to be written that `writer` would write. Driver. */
  def observed(shuffle: ShuffleDependency[_, _, _], writer: ShuffleWriteProcessor, observer: ShuffleObserver): AnyRef =
    new ObservedWrites(writer, observer, new GivenRecords(shuffle.rdd.sparkContext))

  /** What a shuffle map task does with its rows. On the driver. */
  def write(rows: Iterator[_], shuffle: ShuffleDependency[_, _, _], partition: Int, task: TaskContext): Unit = {
    val source = new GivenRecords(shuffle.rdd.sparkContext).of(rows)
    shuffle.shuffleWriterProcessor.write(source, shuffle, task.taskAttemptId(), task, new WrittenPartition(partition))
  }
}
