package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.rdd.RDD

/**
 * What assertions shuffle and collect beside the user's records: tuples, lists and numbers. Every serializer of Spark's
 * knows them, while classes of the plug-in's own would have to be registered where `spark.kryo.registrationRequired`.
 */
private[lineage] object OwnRecords {

  /** A record, how many of it, and the first partition that has it. */
  type Counted = (Any, Long, Int)

  /** Records that are equal by what they hold, put together. They are shuffled by their hashes. */
  def counted(records: RDD[Counted]): RDD[Counted] =
    records
      .map(record => (ByValue.hash(record._1), record))
      .combineByKey(List(_), added, (a: List[Counted], b: List[Counted]) => b.foldLeft(a)(added))
      .values
      .flatMap(identity)

  private def added(known: List[Counted], record: Counted): List[Counted] =
    known.span(other => !ByValue.same(other._1, record._1)) match {
      case (others, (same, count, first) :: rest) =>
        others ::: (same, count + record._2, math.min(first, record._3)) :: rest
      case _ => record :: known
    }

  /** The first and the last key of each partition that has any, and where keys fall in it. */
  def ends[T: ClassTag, K: ClassTag](rows: RDD[T], key: T => K)(implicit order: Ordering[K]): Seq[Assertions.Ends[K]] =
    rows
      .mapPartitionsWithIndex { (i, it) =>
        Assertions.ends(i, it.map(key)).map { of =>
          (i, of.first, of.last, of.fall.map(fall => (fall.at, fall.before, fall.after)).toList)
        }
      }
      .collect()
      .toIndexedSeq
      .map { case (i, first, last, falls) =>
        val fall = falls.headOption.map { case (at, before, after) => Assertions.Fall(i, at, before, after) }
        Assertions.Ends(i, first, last, fall)
      }
}
