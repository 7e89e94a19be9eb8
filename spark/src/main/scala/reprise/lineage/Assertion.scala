package reprise.lineage

import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import scala.collection.mutable

/** A condition on the rows of a partition, checked while somebody else reads them. */
private[reprise] sealed abstract class Assertion extends Serializable {

  /** "forall", as in `RDD forall-assertion error`. */
  def name: String

  /**
   * The same rows.
   *
   * @param split     the partition
   * @param elsewhere the rows of other partitions, where they are needed
   * @throws AssertionError as soon as it is known that the condition does not hold, whatever the reader does then
   */
  def check[T](
      rows: Iterator[T],
      subject: Subject,
      split: Int,
      elsewhere: () => Iterator[Iterator[T]]): Iterator[T]
}

/** What an assertion is about, as its error names it: "RDD", its type, its number. */
private[reprise] final case class Subject(kind: String, typeName: String, id: Option[Int]) {
  def failure(name: String, partition: Option[Int], found: String): AssertionError = {
    val lines = Seq(s"$kind $name-assertion error:", s"  $kind type: $typeName") ++
      id.map(number => s"  $kind ID: $number") ++
      partition.map(p => s"  partition: $p") ++
      found.linesIterator.map("  " + _)
    new AssertionError(lines.mkString("\n"))
  }
}

private[reprise] object Sample {
  val recordsMax = 5
  private val textMax = 200

  def text(record: Any): String = {
    val whole = record match {
      case array: Array[_] => 
        // Each takes two characters at least.
        array.iterator.take(textMax).map(text).mkString("Array(", ", ", ")")
      case other => String.valueOf(other)
    }
    if (whole.length <= textMax) whole else whole.take(textMax) + "…"
  }

  def list(records: Iterable[String]): String = records.map("\n  " + _).mkString
}

/** Counts records and keeps the first few that offend. */
private final class Offenders {
  var seen = 0L
  var offending = 0L
  val sample = mutable.ArrayBuffer.empty[String]

  def note(record: Any): Unit = {
    offending += 1
    if (sample.length < Sample.recordsMax) sample += Sample.text(record)
  }

  def describe(what: String): String =
    s"offending records: $offending of $seen$what" + Sample.list(sample)
}

/** All rows satisfy the predicate. At the first that does not, the rest of the partition is looked at as well. */
private[reprise] final class Forall(override val name: String, holds: Any => Boolean) extends Assertion {
  override def check[T](
      rows: Iterator[T],
      subject: Subject,
      split: Int,
      elsewhere: () => Iterator[Iterator[T]]): Iterator[T] = {
    val offenders = new Offenders
    rows.map { row =>
      offenders.seen += 1
      if (!holds(row)) {
        offenders.note(row)
        rows.foreach { other =>
          offenders.seen += 1
          if (!holds(other)) offenders.note(other)
        }
        throw subject.failure(name, Some(split), offenders.describe(""))
      }
      row
    }
  }
}

/**
 * At least one row of all partitions satisfies the predicate. A partition without such a row looks into the others,
 * unless another task of this JVM has found one.
 */
private[reprise] final class Exists(holds: Any => Boolean) extends Assertion {
  override val name = "exists"
  private val identity = UUID.randomUUID().toString

  override def check[T](
      rows: Iterator[T],
      subject: Subject,
      split: Int,
      elsewhere: () => Iterator[Iterator[T]]): Iterator[T] =
    new Iterator[T] {
      private val offenders = new Offenders
      private var isFound = false
      private var isOver = false

      override def hasNext: Boolean = {
        val more = rows.hasNext
        if (!more && !isOver) {
          isOver = true
          if (isFound) Exists.found.put(identity, true)
          else if (!Exists.found.containsKey(identity)) search()
        }
        more
      }

      override def next(): T = {
        val row = rows.next()
        offenders.seen += 1
        if (!isFound) {
          isFound = holds(row)
          if (!isFound) offenders.note(row)
        }
        row
      }

      private def search(): Unit =
        if (elsewhere().exists(_.exists(holds))) Exists.found.put(identity, true)
        else throw subject.failure(name, Some(split), offenders.describe(", and none of another partition holds"))
    }
}

private object Exists {
  /** Of assertions that hold; small, and as long-lived as the JVM. */
  val found = new ConcurrentHashMap[String, Boolean]
}

/** Of each partition's rows, put together, the predicate holds. An empty partition has nothing to put together. */
private[reprise] final class Reduce(together: (Any, Any) => Any, holds: Any => Boolean) extends Assertion {
  override val name = "reduce"

  override def check[T](
      rows: Iterator[T],
      subject: Subject,
      split: Int,
      elsewhere: () => Iterator[Iterator[T]]): Iterator[T] =
    new Iterator[T] {
      private var result: Option[Any] = None
      private var seen = 0L
      private var isOver = false

      override def hasNext: Boolean = {
        val more = rows.hasNext
        if (!more && !isOver) {
          isOver = true
          result.filterNot(holds).foreach { value =>
            throw subject.failure(name, Some(split), s"result of $seen records: ${Sample.text(value)}")
          }
        }
        more
      }

      override def next(): T = {
        val row = rows.next()
        seen += 1
        result = Some(result.fold[Any](row)(together(_, row)))
        row
      }
    }
}

/** Each row is in the partition where its key belongs. */
private[reprise] final class InItsPartition(partitionOf: Any => Int) extends Assertion {
  override val name = "partitioning"

  override def check[T](
      rows: Iterator[T],
      subject: Subject,
      split: Int,
      elsewhere: () => Iterator[Iterator[T]]): Iterator[T] =
    new Forall(name, row => partitionOf(row) == split).check(rows, subject, split, elsewhere)
}
