package reprise.exec

import org.apache.hadoop.conf.Configuration
import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.columnar.CachedBatch
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.apache.spark.sql.execution.python.access.PythonFunctions
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.SerializableConfiguration

import reprise.access.BroadcastInternals
import reprise.bridge.{ArrowSource, BatchSource, BlockSource, CacheSource, ColumnSource}

/** What a fragment reads. */
private[exec] sealed trait Leaf extends Serializable {

  /** None: every task sees all of it. */
  def partitionCount: Option[Int]

  /** The RDD whose partition a task reads. Kept by the dependency, not by the leaf. */
  def rdd: Option[RDD[_]]

  def partition(index: Int): Partition

  /** @param parent the leaf's RDD, as the task has it */
  def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput
}

/**
 * Splits of files. `partitions` stays on the driver: each task gets its own.
 *
 * @param conf by which those are read that do not lie on a local file system; none where all do
 */
private[exec] final case class FileLeaf(
    @transient partitions: IndexedSeq[FilePartition],
    columns: StructType,
    partitionSchema: StructType,
    conf: Option[Broadcast[SerializableConfiguration]])
  extends Leaf {
  override def partitionCount: Option[Int] = Some(partitions.length)
  override def rdd: Option[RDD[_]] = None
  override def partition(index: Int): Partition = partitions(index)
  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput =
    FileInput(partition.asInstanceOf[FilePartition], columns, partitionSchema, conf.map(_.value.value))
}

private[exec] object FileLeaf {

  /** @param conf broadcast where it is needed, as Spark does it for its own reader */
  def apply(
      partitions: IndexedSeq[FilePartition],
      columns: StructType,
      partitionSchema: StructType,
      context: SparkContext)(conf: => Configuration): FileLeaf =
    FileLeaf(partitions, columns, partitionSchema, shared(partitions, context)(conf))

  /** The configuration for tasks that read the files; none where all are local. */
  def shared(partitions: Seq[FilePartition], context: SparkContext)(
      conf: => Configuration): Option[Broadcast[SerializableConfiguration]] = {
    val isLocal = partitions.forall(_.files.forall(_.urlEncodedPath.startsWith("file:")))
    if (isLocal) None else Some(context.broadcast(new SerializableConfiguration(conf)))
  }
}

/** What the operator makes by itself, from the number of its partition. */
private[exec] final case class MadeLeaf(partitions: Int) extends Leaf {
  override def partitionCount: Option[Int] = Some(partitions)
  override def rdd: Option[RDD[_]] = None
  override def partition(index: Int): Partition = WholePartition
  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput = NoInput
}

private[exec] trait RddLeaf[T] extends Leaf {
  def source: RDD[T]
  override def partitionCount: Option[Int] = Some(source.getNumPartitions)
  override def rdd: Option[RDD[_]] = Some(source)
  override def partition(index: Int): Partition = source.partitions(index)
  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput =
    input(parent.get.asInstanceOf[RDD[T]].iterator(partition, context))
  protected def input(elements: Iterator[T]): LeafInput
}

/**
 * Rows of Spark.
 *
 * @param partitionColumns of a scan of files, of which a task then says what it reads, for a dump: the columns that the
 *                         files' folders give
 */
private[exec] final case class RowLeaf(
    @transient source: RDD[InternalRow],
    schema: StructType,
    partitionColumns: Option[StructType] = None)
  extends RddLeaf[InternalRow] {
  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput =
    (super.input(partition, parent, context), partition, partitionColumns) match {
      case (rows: RowInput, files: FilePartition, Some(columns)) => rows.copy(from = Some(ReadFiles(files, columns)))
      case (rows, _, _) => rows
    }

  override protected def input(rows: Iterator[InternalRow]): LeafInput = RowInput(new RowFeed(rows, schema), None)
}

/** Columns of Spark. */
private[exec] final case class ColumnLeaf(@transient source: RDD[ColumnarBatch], schema: StructType)
  extends RddLeaf[ColumnarBatch] {
  override protected def input(batches: Iterator[ColumnarBatch]): LeafInput =
    ColumnInput(new ColumnFeed(batches, schema, TaskContext.get()))
}

/** The batches of a cached table. @param columns which of its columns are read */
private[exec] final case class CacheLeaf(@transient source: RDD[CachedBatch], columns: Array[Int])
  extends RddLeaf[CachedBatch] {
  override protected def input(batches: Iterator[CachedBatch]): LeafInput = CacheInput(new CacheFeed(batches, columns))
}

/** Encoded blocks of a shuffle. */
private[exec] final case class BlockLeaf(@transient source: RDD[Array[Byte]]) extends RddLeaf[Array[Byte]] {
  override protected def input(blocks: Iterator[Array[Byte]]): LeafInput =
    BlockInput(() => if (blocks.hasNext) blocks.next() else null, None)
}

/** Batches of other fragments, which run in the same task. */
private[exec] final case class BatchLeaf(@transient source: RDD[Long]) extends RddLeaf[Long] {
  override protected def input(batches: Iterator[Long]): LeafInput =
    BatchInput(() => if (batches.hasNext) batches.next() else 0L)
}

/** What Python's workers make of batches of another fragment, which runs in the same task. */
private[exec] final case class PythonLeaf(
    @transient source: RDD[Long],
    functions: PythonFunctions,
    sent: Array[Int],
    asStruct: Boolean,
    groupEnd: Option[Int],
    perGroup: Boolean)
  extends RddLeaf[Long] {
  override protected def input(batches: Iterator[Long]): LeafInput =
    ArrowInput(new PythonResults(batches, functions, sent, asStruct, groupEnd, perGroup))
}

private[exec] sealed trait ReplicatedLeaf extends Leaf {
  override def partitionCount: Option[Int] = None
  override def rdd: Option[RDD[_]] = None
  override def partition(index: Int): Partition = WholePartition
}

/** A native broadcast. */
private[exec] final case class BroadcastLeaf(relation: Broadcast[Array[Array[Byte]]]) extends ReplicatedLeaf {
  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput = {
    val whole = relation.value
    val blocks = whole.iterator
    BlockInput(() => if (blocks.hasNext) blocks.next() else null, Some(BroadcastIds.of(whole)))
  }
}

/** A broadcast of Spark's, whose rows are read. */
private[exec] final case class BroadcastRowLeaf(relation: Broadcast[Any], schema: StructType) extends ReplicatedLeaf {
  override def input(partition: Partition, parent: Option[RDD[_]], context: TaskContext): LeafInput = {
    val whole = relation.value
    // Some of Spark's empty relations are one object for all broadcasts.
    val id = if (BroadcastInternals.isConstant(whole)) None else Some(BroadcastIds.of(whole.asInstanceOf[AnyRef]))
    RowInput(new RowFeed(BroadcastInternals.rows(whole, schema.length), schema), id)
  }
}

/** Where every task reads all. */
private case object WholePartition extends Partition {
  override def index: Int = 0
}

/** What a leaf reads in one task. */
private[exec] sealed trait LeafInput

/** The files of a scan's task. @param partitionColumns those that the files' folders give */
private[exec] final case class ReadFiles(files: FilePartition, partitionColumns: StructType)

/**
 * @param columns what is read of the files
 * @param conf    by which those are read that do not lie on a local file system; none where all do
 * @param pieces  what Spark reads of the files
 */
private[exec] final case class FileInput(
    files: FilePartition,
    columns: StructType,
    partitionSchema: StructType,
    conf: Option[Configuration],
    pieces: Option[FilePieces] = None)
  extends LeafInput {
  val store: Option[RemoteFiles] = conf.map(new RemoteFiles(_))

  def isForSpark(file: PartitionedFile): Boolean = pieces.exists(_.isForSpark(file))
}

/**
 * @param broadcast the process's number of the broadcast that the rows are of
 * @param from      the files that the rows are of, for a dump
 */
private[exec] final case class RowInput(
    source: RowFeed,
    broadcast: Option[Long],
    from: Option[ReadFiles] = None)
  extends LeafInput

/** @param broadcast the process's number of the broadcast that the blocks are of */
private[exec] final case class BlockInput(source: BlockSource, broadcast: Option[Long]) extends LeafInput
private[exec] final case class ColumnInput(source: ColumnSource) extends LeafInput
private[exec] final case class CacheInput(source: CacheSource) extends LeafInput
private[exec] final case class BatchInput(source: BatchSource) extends LeafInput
private[exec] final case class ArrowInput(source: ArrowSource) extends LeafInput
private[exec] case object NoInput extends LeafInput
