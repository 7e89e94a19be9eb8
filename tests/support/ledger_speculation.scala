// A job one of whose tasks waits, having given all its records, until a speculative attempt has
// overtaken it: both read to their end, and give other records.
// Arguments: none; the settings say where it runs.
import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.{SparkConf, SparkContext, TaskContext}
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}

object LedgerSpeculation {
  def main(arguments: Array[String]): Unit = {
    val sc = new SparkContext(new SparkConf().setAppName("speculation"))
    val ends = new CountDownLatch(5)
    sc.addSparkListener(new SparkListener {
      override def onTaskEnd(end: SparkListenerTaskEnd): Unit = ends.countDown()
    })
    val records = sc.parallelize(1 to 400, 4).mapPartitionsWithIndex { (partition, numbers) =>
      val task = TaskContext.get()
      val isSlow = partition == 2 && task.attemptNumber() == 0
      val given = numbers.map(n => if (isSlow) -n else n)
      given ++ Iterator.fill(1)(0).filter { _ =>
        val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while (isSlow && !task.isInterrupted() && System.nanoTime() < deadline) {
          try Thread.sleep(20)
          catch { case _: InterruptedException => () }
        }
        false
      }
    }
    println(s"sum ${records.collect().map(_.toLong).sum}")
    println(s"ended ${ends.await(60, TimeUnit.SECONDS)}")
    sc.stop()
  }
}
