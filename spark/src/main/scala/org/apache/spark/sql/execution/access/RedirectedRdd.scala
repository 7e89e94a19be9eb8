package org.apache.spark.sql.execution.access

import scala.reflect.ClassTag

import org.apache.spark.{OneToOneDependency, Partition, TaskContext}
import org.apache.spark.rdd.{CheckpointRDD, CheckpointState, RDD, RDDCheckpointData}

/** What stands for an RDD's checkpoint: another RDD of the same partitions. */
private final class RedirectedRdd[T: ClassTag](to: RDD[T]) extends CheckpointRDD[T](to.sparkContext) {
  override protected def getDependencies: Seq[OneToOneDependency[T]] = Seq(new OneToOneDependency(to))

  override protected def getPartitions: Array[Partition] = firstParent[T].partitions

  override protected def getPreferredLocations(split: Partition): Seq[String] = firstParent[T].preferredLocations(split)

  override def compute(split: Partition, context: TaskContext): Iterator[T] = firstParent[T].iterator(split, context)

  override def toString: String = firstParent[T].toString
}

private final class Redirection[T: ClassTag](from: RDD[T], to: RedirectedRdd[T]) extends RDDCheckpointData[T](from) {
  cpState = CheckpointState.Checkpointed

  override def checkpointRDD: Option[CheckpointRDD[T]] = Some(to)

  override protected def doCheckpoint(): CheckpointRDD[T] = to
}

object RedirectedRdd {

  /**
   * Lets `from` be computed by computing `to`, which has the same partitions, in whatever reads it already: what a
   * checkpoint does to an RDD.
   */
  def redirect[T](from: RDD[T], to: RDD[T]): Unit = {
    implicit val records: ClassTag[T] = from.elementClassTag
    from.checkpointData = Some(new Redirection(from, new RedirectedRdd(to)))
  }
}
