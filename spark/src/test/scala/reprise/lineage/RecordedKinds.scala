package reprise.lineage

import java.nio.file.{Files, Path}

import org.apache.hadoop.io.{LongWritable, Text}
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat
import org.apache.spark.{HashPartitioner, Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

final case class Sale(shop: Int, amount: Long)

/** As GraphX has them: an RDD whose methods are called in tasks. */
final class Scaled(prev: RDD[Int], val factor: Int) extends RDD[Int](prev) {
  def times(number: Int): Int = number * factor
  def scaled: RDD[Int] = prev.map(times)
  override protected def getPartitions: Array[Partition] = prev.partitions
  override def compute(split: Partition, context: TaskContext): Iterator[Int] = prev.iterator(split, context).map(times)
}

/** RDDs of many kinds, whose partitions and closures hold different things. */
object RecordedKinds {
  def of(spark: SparkSession, files: Path): Seq[(String, RDD[_])] = {
    val sc = spark.sparkContext
    val numbers = sc.parallelize(1 to 100, 4)
    val pairs = numbers.map(n => (n % 5, n))
    val others = sc.parallelize(0 until 20, 3).map(n => (n % 7, s"o$n"))
    val names = sc.broadcast(Map(0 -> "zero", 1 -> "one"))
    val counted = sc.longAccumulator
    val text = files.resolve("text")
    Files.createDirectories(text)
    (0 until 3).foreach(i => Files.writeString(text.resolve(s"part-$i"), (0 until 10).map(j => s"line $i $j\n").mkString))
    sc.setCheckpointDir(files.resolve("checkpoints").toString)
    val checkpointed = pairs.mapValues(_ + 1)
    checkpointed.checkpoint()
    checkpointed.count()
    val cached = numbers.map(_ + 7).cache()
    cached.count()
    val byKey = new HashPartitioner(3)
    Seq(
      "collection" -> numbers,
      "map" -> numbers.map(_ * 2).setName("doubled"),
      "broadcast" -> numbers.map(n => names.value.getOrElse(n % 3, "many")),
      "accumulator" -> numbers.map { n => counted.add(1); n },
      "reduce" -> pairs.reduceByKey(_ + _, 3),
      "join" -> pairs.join(others),
      "cogroup of one partitioned" -> pairs.partitionBy(byKey).cogroup(others, byKey).mapValues(v => (v._1.toSeq.sorted, v._2.toSeq.sorted)),
      "sort" -> pairs.sortByKey(ascending = false, 3),
      "union" -> numbers.union(cached),
      "union of equally partitioned" -> pairs.partitionBy(byKey).union(pairs.mapValues(-_).partitionBy(byKey)),
      "coalesce" -> numbers.coalesce(2),
      "repartition" -> numbers.repartition(3),
      "cartesian" -> numbers.coalesce(2).cartesian(others.coalesce(1)),
      "zip" -> numbers.zip(cached),
      "zip with index" -> others.zipWithIndex(),
      "sample" -> numbers.sample(withReplacement = false, 0.5, 42),
      "subtract" -> pairs.subtractByKey(others.filter(_._1 < 2)),
      "distinct" -> pairs.keys.distinct(),
      "text" -> sc.textFile(text.toString).map(_.length),
      "new Hadoop" -> sc
        .newAPIHadoopFile[LongWritable, Text, TextInputFormat](text.toString)
        .map { case (place, line) => (place.get, line.toString) },
      "whole files" -> sc.wholeTextFiles(text.toString).mapValues(_.length).values,
      "binary files" -> sc.binaryFiles(text.toString).map(_._2.toArray().length),
      "range of what is sorted" -> pairs.sortByKey(ascending = true, 3).filterByRange(1, 2),
      "barrier" -> sc.parallelize(1 to 4, 2).barrier().mapPartitions(_.map(_ + 1)),
      "closure over another RDD" -> new Scaled(numbers, 3).scaled,
      "partitions of several" -> numbers.zipPartitions(cached)((a, b) => a.zip(b)),
      "checkpointed" -> checkpointed.map(_._2),
      "cached" -> cached.map(_ * 3),
      "pipe" -> numbers.pipe("cat"),
      "window of partitions" -> numbers.mapPartitionsWithIndex((i, it) => Iterator((i, it.sum)))) ++ queries(spark, files)
  }

  /** What queries run as. */
  private def queries(spark: SparkSession, files: Path): Seq[(String, RDD[_])] = Seq(
    "SQL over a range" -> spark.range(0, 100, 1, 3).selectExpr("id", "id % 7 as k").where("k > 2").rdd,
    "SQL aggregate" -> spark.range(0, 100, 1, 3).selectExpr("id % 7 as k", "id").groupBy("k").sum("id").rdd,
    "SQL join over files" -> {
      val folder = files.resolve("table").toString
      spark.range(0, 50, 1, 2).selectExpr("cast(id % 4 as int) shop", "id amount").write.mode("overwrite").parquet(folder)
      spark.read.parquet(folder).createOrReplaceTempView("sales")
      spark.sql("select a.shop, sum(a.amount + b.amount) s from sales a join sales b on a.shop = b.shop group by 1 order by 1").rdd
    },
    "SQL that runs natively" -> {
      spark.conf.set("spark.reprise.sql.enabled", "true")
      try spark.sql("select a.shop, count(*), max(b.amount) m from sales a join sales b on a.shop = b.shop group by 1").rdd
      finally spark.conf.set("spark.reprise.sql.enabled", "false")
    },
    "Dataset" -> {
      import spark.implicits._
      spark.createDataset(Seq(Sale(1, 2), Sale(3, 4))).map(s => s.copy(amount = s.amount * 2)).rdd
    })

  /** In the order of text: a shuffle gives its records in any. */
  def rows(rdd: RDD[_]): Seq[String] = rdd.asInstanceOf[RDD[Any]].map(Sample.text).collect().sorted.toSeq
}
