import org.apache.spark.{SparkConf, SparkContext}

/** Jobs for one task of them to be run again under a debugger: ReplayJobs RECORDING. */
object ReplayJobs {
  def main(args: Array[String]): Unit = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName("replay jobs")
      .set("spark.plugins", "reprise.ReprisePlugin")
      .set("spark.reprise.lineage.path", args(0))
    val sc = new SparkContext(conf)
    val sums = sc.parallelize(1 to 40, 4).map(n => (n % 4, n)).reduceByKey(_ + _, 2)
    val limit = sc.broadcast(200)
    val checked = sums.map { case (key, sum) =>
      val above = sum - limit.value
      100 / above
    }
    try checked.collect()
    catch { case e: Exception => println(e.getMessage.linesIterator.next()) }
    sc.stop()
  }
}
