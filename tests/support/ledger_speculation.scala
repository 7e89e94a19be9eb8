// A job one of whose tasks waits, having given all its records, until a speculative attempt has
// overtaken it: both read to their end, and give other records. The speculative one waits until the
// other has given all of its own.
// Arguments: none; the settings say where it runs, and by spark.test.given in which file the one
// tells the other.
import java.nio.file.{Files, Path}
import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.{SparkConf, SparkContext, TaskContext}
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}

object LedgerSpeculation {
  def main(arguments: Array[String]): Unit = {
    val conf = new SparkConf().setAppName("speculation")
    val given = conf.get("spark.test.given")
    val sc = new SparkContext(conf)
    val ends = new CountDownLatch(5)
    sc.addSparkListener(new SparkListener {
      override def onTaskEnd(end: SparkListenerTaskEnd): Unit = ends.countDown()
    })
    val records = sc.parallelize(1 to 400, 4).mapPartitionsWithIndex { (partition, numbers) =>
      val task = TaskContext.get()
      val isSlow = partition == 2 && task.attemptNumber() == 0
      val isSpeculative = partition == 2 && !isSlow
      numbers.map(n => if (isSlow) -n else n) ++ Iterator.fill(1)(0).filter { _ =>
        if (isSlow) Files.createFile(Path.of(given))
        val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        def waits = isSlow && !task.isInterrupted() || isSpeculative && !Files.exists(Path.of(given))
        while (waits && System.nanoTime() < deadline) {
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
