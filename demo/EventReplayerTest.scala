import org.apache.spark._

import reprise.EventReplayer

/**
 * The example of the Spark Replay Debugger's document, on today's Spark:
 *
 * {{{
 *   spark-submit --class EventReplayerTest --jars dist/reprise-spark-4.1_2.13.jar replayer-test.jar local /tmp/replay
 * }}}
 */
object EventReplayerTest {
  def main(args: Array[String]): Unit = {
    if (args.length < 2) {
      System.err.println("Usage: EventReplayerTest <master> <folder>")
      System.exit(2)
    }
    val folder = args(1)

    // Enables recording
    System.setProperty("spark.plugins", "reprise.ReprisePlugin")
    System.setProperty("spark.eventLogging.enabled", "true")
    System.setProperty("spark.eventLogging.eventLogPath", s"$folder/replay.log")

    val sc = new SparkContext(new SparkConf().setMaster(args(0)).setAppName("EventReplayerTest"))

    // Makes 2 RDDs
    val r0 = sc.makeRDD(1 to 4)
    val r1 = r0.map(_ * 2)

    // Runs the job. Its RDDs and events are recorded in replay.log
    r1.collect()

    // Makes an `EventReplayer`, which reads replay.log
    val replayer = new EventReplayer(sc)

    // Lists all RDDs of the job
    replayer.printRDDs()

    // Visualizes the 2 RDDs
    println(replayer.visualizeRDDs("dot", s"$folder/rdds.dot"))

    try {
      // Adds an assertion to the rebuilt RDD and runs the job again.
      // This time it fails, because of the assertion.
      val x1 = replayer.rdds(1)
      val x1WithAssertion = replayer.assertExists[Int](x1) { _ == 0 }
      x1WithAssertion.collect()
    } catch {
      case e: SparkException => println(e.getMessage.linesIterator.dropWhile(!_.contains("assertion error")).take(5).mkString("\n"))
    } finally {
      sc.stop()
    }
  }
}
