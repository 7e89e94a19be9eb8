package org.apache.spark.sql.execution.python.access

/** Record batches for a worker, as messages of Arrow's streaming format. */
trait ArrowMessages {

  /** The next one; null at the end. */
  def nextMessage(): Array[Byte]

  /** Whether a group of rows ends with the last one. */
  def endsGroup: Boolean
}
