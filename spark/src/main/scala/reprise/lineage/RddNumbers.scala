package reprise.lineage

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkContext

/** Which numbers a context gives its RDDs. */
private[reprise] object RddNumbers {
  def isFree(context: SparkContext, id: Int): Boolean = counter(context).get <= id

  /** Later RDDs get larger numbers. */
  def reserve(context: SparkContext, id: Int): Unit = counter(context).accumulateAndGet(id + 1, math.max(_, _))

  private def counter(context: SparkContext): AtomicInteger = {
    val field = classOf[SparkContext].getDeclaredField("nextRddId")
    field.setAccessible(true)
    field.get(context).asInstanceOf[AtomicInteger]
  }
}
