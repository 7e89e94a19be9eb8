package reprise.exec

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.arrow.memory.ArrowBuf
import org.apache.arrow.vector.FieldVector
import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.python.access.{ArrowMessages, PythonFunctions}
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnarBatch}

import reprise.bridge.{ArrowSource, CoreErrors, Native}

/**
 * What Python gives for batches of a fragment. A worker asks for its input when it waits for it, so that the fragment
 * runs within the call for results.
 *
 * @param batches  handles, each of one message for the worker
 * @param sent     the columns that it gets
 * @param asStruct as the fields of one column
 * @param groupEnd the column that says which batch is a group's last
 * @param perGroup there is one result for a group, which stands beside its first row
 */
private[exec] final class PythonResults(
    batches: Iterator[Long],
    functions: PythonFunctions,
    sent: Array[Int],
    asStruct: Boolean,
    groupEnd: Option[Int],
    perGroup: Boolean)
  extends ArrowSource with ArrowMessages {

  /** What stands beside the results to come. Those that are left at the end, the fragment that made them frees. */
  private val waiting = new ConcurrentLinkedQueue[Long]

  /** Where there is no group Spark asks no worker, but over windows. */
  private lazy val results: Iterator[ColumnarBatch] = {
    val asksNone = groupEnd.isDefined && (perGroup || functions.givesFields)
    if (asksNone && !batches.hasNext) Iterator.empty else functions.run(this, TaskContext.get())
  }

  @volatile private var isGroupsEnd = true

  override def endsGroup: Boolean = isGroupsEnd

  override def nextMessage(): Array[Byte] =
    if (!batches.hasNext) null
    else {
      val batch = batches.next()
      val message = CoreErrors.translated(Native.arrowMessage(batch, sent, asStruct))
      val beginsGroup = isGroupsEnd
      groupEnd.foreach(column => isGroupsEnd = Native.isSet(batch, column))
      if (functions.givesFields || (perGroup && !beginsGroup)) Native.freeBatch(batch)
      else waiting.add(if (perGroup) Native.firstRow(batch) else batch)
      message
    }

  override def next(): Array[Long] =
    if (!results.hasNext) null
    else {
      val batch = results.next()
      functions.check(batch)
      val vectors = Seq.tabulate(batch.numCols)(i => batch.column(i).asInstanceOf[ArrowColumnVector].getValueVector.asInstanceOf[FieldVector])
      val columns = if (functions.givesFields) vectors.flatMap(_.getChildrenFromFields.asScala) else vectors
      told(batch.numRows, columns.flatMap(buffersOf))
    }

  /** Its own, and then those of what stands in it. */
  private def buffersOf(column: FieldVector): Seq[ArrowBuf] =
    column.getFieldBuffers.asScala.toSeq ++ column.getChildrenFromFields.asScala.flatMap(buffersOf)

  private def told(rows: Int, buffers: Seq[ArrowBuf]): Array[Long] =
    (rows.toLong +: buffers.flatMap(buffer => Seq(buffer.memoryAddress, buffer.capacity))).toArray

  override def kept(): Long = if (waiting.isEmpty) 0L else waiting.poll()
}
