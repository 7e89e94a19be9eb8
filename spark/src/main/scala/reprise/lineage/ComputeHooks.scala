package reprise.lineage

import org.apache.spark.{Partition, TaskContext}

/**
 * The user's code around the computation of each partition of an RDD; for `EventReplayer.withHooks`. It runs in the
 * tasks, in each attempt anew, and travels there as closures do. What it throws fails the task.
 *
 * {{{
 *   val timed = new ComputeHooks[Int] {
 *     override def postCompute(records: Iterator[Int], split: Partition, context: TaskContext): Iterator[Int] = {
 *       val start = System.nanoTime()
 *       context.addTaskCompletionListener[Unit](_ => println(s"${split.index}: ${System.nanoTime() - start} ns"))
 *       records
 *     }
 *   }
 *   replayer.withHooks(replayer.rdds(1))(timed).count()
 * }}}
 */
trait ComputeHooks[T] extends Serializable {

  /** Before the partition is computed. */
  def preCompute(split: Partition, context: TaskContext): Unit = ()

  /**
   * After `compute` of the RDD has given its records, most of which are not made before they are asked for.
   *
   * @return what reads the RDD gets: as a rule `records`, or an iterator over them that looks at each
   */
  def postCompute(records: Iterator[T], split: Partition, context: TaskContext): Iterator[T] = records
}
