package reprise.lineage

import scala.annotation.tailrec
import scala.reflect.ClassTag

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.Row

import reprise.bridge.UserCallSite

/**
 * Conditions on the rows of RDDs and DataFrames, of rebuilt ones and of an application's own.
 *
 * Most give a new RDD, which checks its rows while they are read, partition by partition. An RDD of the application's own
 * stays as it is, and so does all that it comes from. On a rebuilt RDD the assertion stands also for all that reads it
 * already, and in everything that `rdds` makes of it from then on. Those that say "by a job" are checked at once. What fails is an AssertionError,
 * which names the RDD's type and number, and the partition, and shows some of the records that offend; where a task
 * finds it, Spark's exception carries its text.
 *
 * Those by a job look below the assertions that stand on the same RDD, which have errors of their own.
 */
trait ReplayAssertions extends DataFrameAssertions {

  /** What `surround` makes of the RDD; of a rebuilt one, from then on of each that there is. */
  protected def attach[T: ClassTag](rdd: RDD[_])(surround: RDD[T] => RDD[T]): RDD[T]
  protected def subjectOf(rdd: RDD[_]): Subject

  /** Every record satisfies `p`. */
  def assertForall[T: ClassTag](rdd: RDD[_])(p: T => Boolean): RDD[T] =
    asserted[T](rdd, new Forall("forall", cleaned(p).asInstanceOf[Any => Boolean]))

  /** At least one record of the RDD satisfies `p`. A partition without one looks into the others. */
  def assertExists[T: ClassTag](rdd: RDD[_])(p: T => Boolean): RDD[T] =
    asserted[T](rdd, new Exists(cleaned(p).asInstanceOf[Any => Boolean]))

  /** No record is null, nor a field of a row, a tuple or a case class, nor an element of a sequence or an array. */
  def assertNoNulls[T: ClassTag](rdd: RDD[_]): RDD[T] = asserted[T](rdd, new Forall("no-nulls", Assertions.hasNoNull))

  /** Of each partition that has records: what they come to by `f` satisfies `p`. */
  def assertReduce[T: ClassTag](rdd: RDD[_])(f: (T, T) => T)(p: T => Boolean): RDD[T] =
    asserted[T](rdd, new Reduce(cleaned(f).asInstanceOf[(Any, Any) => Any], cleaned(p).asInstanceOf[Any => Boolean]))

  /** Each pair is in the partition that the RDD's partitioner says. */
  def assertPartitioned[T: ClassTag](rdd: RDD[_]): RDD[T] = {
    val partitioner = rdd.partitioner.getOrElse(
      throw new IllegalArgumentException(s"$rdd declares no partitioner"))
    asserted[T](rdd, new InItsPartition({
      case pair: Product2[_, _] => partitioner.getPartition(pair._1)
      case other => throw new IllegalArgumentException(s"a partitioner takes pairs, found $other")
    }))
  }

  /** Checked by a job: no two records have the same key. */
  def assertUnique[T: ClassTag, K: ClassTag](rdd: RDD[_])(key: T => K): RDD[T] = UserCallSite(sc) {
    val rows = rdd.asInstanceOf[RDD[T]]
    val of = cleaned(key)
    val keys = bare(rows).mapPartitionsWithIndex((i, it) => it.map(row => (of(row): Any, 1L, i)))
    val double = OwnRecords.counted(keys).filter(_._2 > 1).take(Sample.recordsMax)
    if (double.nonEmpty) {
      fail(rdd, "unique", Some(double.map(_._3).min), "keys that several records have:" + Sample.list(
        double.map { case (k, count, first) => s"${Sample.text(k)} ($count records, first in partition $first)" }))
    }
    rows
  }

  /** Checked by a job: keys never fall, within a partition and from each to the next. */
  def assertSorted[T: ClassTag, K: ClassTag](rdd: RDD[_])(key: T => K)(implicit order: Ordering[K]): RDD[T] = UserCallSite(sc) {
    val rows = rdd.asInstanceOf[RDD[T]]
    val of = cleaned(key)
    Assertions.firstFall(OwnRecords.ends(bare(rows), of)).foreach { fall =>
      fail(rdd, "sorted", Some(fall.partition),
        s"record ${fall.at} has the key ${Sample.text(fall.after)}, after ${Sample.text(fall.before)}")
    }
    rows
  }

  /** Checked by a job: it has at least `min` records and at most `max`. */
  def assertCount[T: ClassTag](rdd: RDD[_])(min: Long, max: Long): RDD[T] = UserCallSite(sc) {
    val rows = rdd.asInstanceOf[RDD[T]]
    Assertions.miscounted(bare(rows), min, max).foreach(fail(rdd, "count", None, _))
    rows
  }

  /** Checked by a job: the same records as `other` has, each as often, in whatever order. */
  def assertEqual[T: ClassTag](rdd: RDD[_], other: RDD[_]): RDD[T] = UserCallSite(sc) {
    val rows = rdd.asInstanceOf[RDD[T]]
    def counted(of: RDD[_], sign: Long) = bare(of.asInstanceOf[RDD[T]]).mapPartitionsWithIndex { (i, it) =>
      it.map(row => (row: Any, sign, if (sign > 0) i else Int.MaxValue))
    }
    val differing = OwnRecords
      .counted(counted(rows, 1L).union(counted(other, -1L)))
      .filter(_._2 != 0)
      .take(Sample.recordsMax)
    if (differing.nonEmpty) {
      val partitions = differing.map(_._3).filter(_ != Int.MaxValue)
      fail(rdd, "equal", partitions.reduceOption(_ min _), "records that differ:" + Sample.list(differing.map {
        case (row, more, _) if more > 0 => s"${Sample.text(row)} ($more more than in $other)"
        case (row, less, _) => s"${Sample.text(row)} (${-less} less than in $other)"
      }))
    }
    rows
  }

  private def asserted[T: ClassTag](rdd: RDD[_], assertion: Assertion): RDD[T] =
    attach[T](rdd)(below => new AssertedRdd(below, assertion, subjectOf(below)))

  @tailrec private def bare[T](rdd: RDD[T]): RDD[T] = rdd match {
    case asserted: AssertedRdd[T @unchecked] => bare(asserted.checked)
    case other => other
  }

  private def fail(rdd: RDD[_], name: String, partition: Option[Int], found: String): Unit =
    throw subjectOf(rdd).failure(name, partition, found)
}

private[lineage] object Assertions {
  def hasNoNull: Any => Boolean = {
    case null => false
    case row: Row => !row.anyNull
    case items: collection.Seq[_] => items.forall(_ != null)
    case array: Array[AnyRef] => array.forall(_ != null)
    case product: Product => product.productIterator.forall(_ != null)
    case _ => true
  }

  /** What is wrong with the number of records. */
  def miscounted(rdd: RDD[_], min: Long, max: Long): Option[String] = {
    val counts = rdd.mapPartitions(it => Iterator.single(it.foldLeft(0L)((n, _) => n + 1))).collect()
    val total = counts.sum
    if (total >= min && total <= max) None
    else {
      val each = counts.zipWithIndex.take(20).map { case (n, i) => s"$i: $n" }.mkString(", ")
      Some(s"$total records, expected $min to $max\nby partition: $each")
    }
  }

  /** A record whose key is less than the one before. @param at its place in the partition */
  final case class Fall[K](partition: Int, at: Long, before: K, after: K)

  final case class Ends[K](partition: Int, first: K, last: K, fall: Option[Fall[K]])

  def ends[K](partition: Int, keys: Iterator[K])(implicit order: Ordering[K]): Iterator[Ends[K]] =
    if (!keys.hasNext) Iterator.empty
    else {
      val first = keys.next()
      var last = first
      var fall: Option[Fall[K]] = None
      var at = 0L
      keys.foreach { key =>
        at += 1
        if (fall.isEmpty && order.lt(key, last)) fall = Some(Fall(partition, at, last, key))
        last = key
      }
      Iterator.single(Ends(partition, first, last, fall))
    }

  /** Within a partition, or else from one to the next that has records. */
  def firstFall[K](ends: Seq[Ends[K]])(implicit order: Ordering[K]): Option[Fall[K]] =
    ends.flatMap(_.fall).headOption.orElse {
      ends.zip(ends.drop(1)).collectFirst {
        case (a, b) if order.gt(a.last, b.first) => Fall(b.partition, 0, a.last, b.first)
      }
    }
}
