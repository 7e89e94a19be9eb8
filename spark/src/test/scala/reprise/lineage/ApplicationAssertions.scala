package reprise.lineage

import scala.reflect.ClassTag

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession

/** On RDDs of the application itself, none of which is of a recording. */
private[lineage] class ApplicationAssertions(spark: => SparkSession) extends ReplayAssertions {
  override def sc: SparkContext = spark.sparkContext
  override protected def attach[T: ClassTag](rdd: RDD[_])(surround: RDD[T] => RDD[T]): RDD[T] =
    surround(rdd.asInstanceOf[RDD[T]])
  override protected def subjectOf(rdd: RDD[_]): Subject = Subject("RDD", rdd.getClass.getSimpleName, Some(rdd.id))
}
