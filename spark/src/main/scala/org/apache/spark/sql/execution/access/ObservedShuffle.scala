package org.apache.spark.sql.execution.access

import org.apache.spark.{ShuffleDependency, TaskContext}
import org.apache.spark.sql.execution.UnsafeRowSerializer

/** Looks at the records of a shuffle in the tasks that write it. */
trait ShuffleObserver extends Serializable {

  /** @param write writes the records; to be called with the same, or with what gives them */
  def write[R](records: Iterator[Any], context: TaskContext)(write: Iterator[Any] => R): R
}

object ObservedShuffle {
  private lazy val writerOf = {
    val field = classOf[ShuffleDependency[_, _, _]].getDeclaredField("shuffleWriterProcessor")
    field.setAccessible(true)
    field
  }

  /** Whether it is a query's, whose records are rows. */
  def isOfRows(shuffle: ShuffleDependency[_, _, _]): Boolean = shuffle.serializer.isInstanceOf[UnsafeRowSerializer]

  /** Has the shuffle looked at, once only; before its first task. */
  def observe(shuffle: ShuffleDependency[_, _, _], observer: ShuffleObserver): Unit =
    shuffle.shuffleWriterProcessor match {
      case _: ObservedWrites => ()
      case writer => writerOf.set(shuffle, ShuffleWrites.observed(shuffle, writer, observer))
    }
}
