// Jobs over RDDs as users write them, for bench/ledger.py: small records and medium ones, most of
// them read from orders.txt and customer.txt, TPC-H's tables as lines of text.
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD

final case class Order(key: Long, customer: Int, status: String, price: Double, date: String, priority: String)

object RddJobs {
  private val partitions = 8
  private val numbers = 4000000

  /** @param folder has the files of text */
  def run(name: String, sc: SparkContext, folder: String): Unit = jobs(name)(sc, folder)

  private val jobs: Map[String, (SparkContext, String) => Unit] = Map(
    // The least work a record that a job can have.
    "counted" -> ((sc, _) => sc.range(0, 20000000, 1, partitions).count()),
    "numbers" -> ((sc, _) =>
      sc.parallelize(0 until numbers, partitions).map(n => (n % 1000, n)).filter(_._2 % 3 > 0).reduceByKey(_ + _).count()),
    "sums" -> ((sc, folder) => orders(sc, folder).map(o => (o.customer, o.price)).reduceByKey(_ + _).count()),
    "words" -> ((sc, folder) =>
      sc.textFile(s"$folder/orders.txt", partitions)
        .flatMap(line => line.substring(line.lastIndexOf('|') + 1).split(' '))
        .map((_, 1))
        .reduceByKey(_ + _)
        .count()),
    "grouped" -> ((sc, folder) =>
      orders(sc, folder).map(o => (o.customer, o.key)).groupByKey().mapValues(_.size).count()),
    "sorted" -> ((sc, folder) => orders(sc, folder).map(o => (o.price, o.key)).sortByKey().count()),
    "joined" -> ((sc, folder) => {
      val names = fields(sc, folder, "customer").map(field => (field(0).toInt, field(1)))
      val lines = orders(sc, folder).map(o => (o.customer, o.date)).join(names).map { case (_, (date, name)) => s"$date|$name" }
      val output = new Path(s"$folder/joined-${System.nanoTime()}") // another side writes there too
      lines.saveAsTextFile(output.toString)
      output.getFileSystem(sc.hadoopConfiguration).delete(output, true)
    }),
    "records" -> ((sc, folder) => orders(sc, folder).filter(_.status == "F").repartition(partitions).count()),
    "clusters" -> ((sc, _) => clusters(sc)))

  private def fields(sc: SparkContext, folder: String, table: String): RDD[Array[String]] =
    sc.textFile(s"$folder/$table.txt", partitions).map(_.split('|'))

  private def orders(sc: SparkContext, folder: String): RDD[Order] =
    fields(sc, folder, "orders").map(f => Order(f(0).toLong, f(1).toInt, f(2), f(3).toDouble, f(4), f(5)))

  /** Steps of k-means over points of ten coordinates. */
  private def clusters(sc: SparkContext): Unit = {
    val points = sc.parallelize(0 until 400000, partitions).map { n =>
      val random = new java.util.SplittableRandom(n)
      Array.fill(10)(random.nextDouble())
    }
    var centres = points.take(8)
    (1 to 3).foreach { _ =>
      val known = centres
      centres = points
        .map(point => (known.indices.minBy(i => distance(known(i), point)), (point, 1)))
        .reduceByKey((a, b) => (a._1.zip(b._1).map(x => x._1 + x._2), a._2 + b._2))
        .map { case (_, (sum, count)) => sum.map(_ / count) }
        .collect()
    }
  }

  private def distance(a: Array[Double], b: Array[Double]): Double = {
    var sum = 0.0
    var i = 0
    while (i < a.length) {
      sum += (a(i) - b(i)) * (a(i) - b(i))
      i += 1
    }
    sum
  }
}
