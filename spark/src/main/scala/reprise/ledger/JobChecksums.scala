package reprise.ledger

import java.util.Properties

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.{ShuffleDependency, TaskContext}
import org.apache.spark.internal.Logging
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.SQLExecutionRDD
import org.apache.spark.sql.execution.access.{LineageAccess, ObservedShuffle, OutputObserver}
import org.apache.spark.sql.vectorized.ColumnarBatch

import reprise.bridge.SessionConf

/**
 * Has the tasks of jobs over RDDs checksum what they give: to their shuffles, and to the job's action. What queries give
 * is checksummed operator by operator instead.
 */
private[reprise] final class JobChecksums extends OutputObserver with Logging {
  private val seen = mutable.HashSet.empty[Int]

  override def checksummed[T, U](
      rdd: RDD[T],
      action: (TaskContext, Iterator[T]) => U,
      properties: Properties): (TaskContext, Iterator[T]) => U =
    if (JobChecksums.isLeftOut(properties)) action
    else {
      prepare(rdd)
      if (JobChecksums.isOfQuery(rdd, properties)) action else new ResultChecksum(action, rdd.id)
    }

  override def prepare(shuffle: ShuffleDependency[_, _, _], properties: Properties): Unit =
    if (!JobChecksums.isLeftOut(properties)) {
      prepared(observe(shuffle))
      prepare(shuffle.rdd)
    }

  /** All shuffles of the lineage that were not there before. */
  private def prepare(last: RDD[_]): Unit = prepared {
    synchronized {
      val waiting = mutable.Stack[RDD[_]](last)
      while (waiting.nonEmpty) {
        val rdd = waiting.pop()
        if (seen.add(rdd.id)) {
          rdd.dependencies.foreach { dependency =>
            dependency match {
              case shuffle: ShuffleDependency[_, _, _] => observe(shuffle)
              case _ => ()
            }
            waiting.push(dependency.rdd)
          }
        }
      }
    }
  }

  /** What queries shuffle is checksummed where it is given. */
  private def observe(shuffle: ShuffleDependency[_, _, _]): Unit = {
    val isOfQuery = ObservedShuffle.isOfRows(shuffle) || shuffle.serializer.isInstanceOf[ChecksummedWhereMade]
    if (!isOfQuery) ObservedShuffle.observe(shuffle, new ChecksummedShuffle(shuffle.shuffleId, shuffle.rdd.id))
  }

  /** An input that is missing is the job's own error. */
  private def prepared(body: => Unit): Unit =
    try body
    catch { case NonFatal(e) => logWarning(s"reprise: the ledger lacks shuffles of a job: $e") }
}

private object JobChecksums {
  private val enabled = "spark.reprise.ledger.enabled"

  /** Whether the user wants the job to run without the ledger. */
  def isLeftOut(properties: Properties): Boolean =
    Option(properties).flatMap(it => Option(it.getProperty(enabled)))
      .exists(value => !SessionConf.switches(Map(enabled -> value)).isChecksummed)

  /**
   * Whether a query has the job run to get its own rows. Those of the user's that run meanwhile bear the query's number
   * too, as in `foreachBatch`; what they take from a DataFrame has gone through a `SQLExecutionRDD`.
   */
  def isOfQuery(rdd: RDD[_], properties: Properties): Boolean =
    properties != null && properties.getProperty("spark.sql.execution.id") != null && isMadeOfRows(rdd)

  private def isMadeOfRows(last: RDD[_]): Boolean = {
    val seen = mutable.HashSet.empty[Int]
    val waiting = mutable.Stack[RDD[_]](last)
    var found = false
    while (!found && waiting.nonEmpty) {
      waiting.pop() match {
        case _: SQLExecutionRDD => ()
        case rdd if isOfRows(rdd) => found = true
        case rdd => if (seen.add(rdd.id)) waiting.pushAll(rdd.dependencies.map(_.rdd))
      }
    }
    found
  }

  private def isOfRows(rdd: RDD[_]): Boolean =
    rdd.isInstanceOf[ChecksummedWhereMade] || rows(LineageAccess.elementClass(rdd))

  private val rows: Set[Class[_]] = Set(classOf[InternalRow], classOf[ColumnarBatch])
}
