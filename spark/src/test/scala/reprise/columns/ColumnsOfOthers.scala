package reprise.columns

import java.util
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.{BigIntVector, BitVector, DecimalVector, VarCharVector}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.execution.columnar.ColumnDictionary
import org.apache.spark.sql.execution.vectorized._
import org.apache.spark.sql.types._
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.vectorized._
import org.apache.spark.unsafe.types.UTF8String

/**
 * A connector that gives columns of all kinds of vectors, some of which are used again for the next batch.
 *
 * The option `failing` names a row whose value of the column `own` throws, `breaking` a batch of each partition that
 * does.
 */
class ColumnsOfOthers extends TableProvider with Table with SupportsRead with ScanBuilder with Scan with Batch {
  private var failing = -1L
  private var breaking = -1

  override def inferSchema(options: CaseInsensitiveStringMap): StructType = ColumnsOfOthers.columns
  override def getTable(schema: StructType, by: Array[Transform], properties: util.Map[String, String]): Table = this
  override def name(): String = "columns of others"
  override def schema(): StructType = ColumnsOfOthers.columns
  override def readSchema(): StructType = ColumnsOfOthers.columns
  override def capabilities(): util.Set[TableCapability] = Set(TableCapability.BATCH_READ).asJava
  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = {
    failing = options.getLong("failing", -1)
    breaking = options.getInt("breaking", -1)
    this
  }
  override def build(): Scan = this
  override def toBatch: Batch = this
  override def planInputPartitions(): Array[InputPartition] = Array(GivenPartition(0), GivenPartition(1))
  override def createReaderFactory(): PartitionReaderFactory = new GivenReaders(failing, breaking, ColumnsOfOthers.run.get)
}

object ColumnsOfOthers {
  val columns: StructType = StructType.fromDDL(
    "id BIGINT, text STRING, kept INT, flag BOOLEAN, part STRING, far DOUBLE, own INT, d DECIMAL(9, 2), " +
      "arrow_n BIGINT, arrow_text STRING, arrow_flag BOOLEAN, arrow_d DECIMAL(12, 3), arrow_w DECIMAL(30, 3), pair ARRAY<INT>")

  /** Rows of the batches of a partition: more than a batch of the core has, in batches of odd sizes. */
  val sizes: Seq[Int] = Seq(7, 0, 4096, 1, 1000)

  /** The query that is planned now: tasks of one that has failed may still run beside the next. */
  val run = new AtomicInteger

  private val opened = new ConcurrentHashMap[Int, AtomicInteger]

  /** Vectors of a run that are to be freed once their batch is done, and that are not yet. */
  def openIn(run: Int): AtomicInteger = opened.computeIfAbsent(run, _ => new AtomicInteger)
}

private case class GivenPartition(number: Int) extends InputPartition

private final class GivenReaders(failing: Long, breaking: Int, run: Int) extends PartitionReaderFactory {
  override def supportColumnarReads(partition: InputPartition): Boolean = true
  override def createReader(partition: InputPartition): PartitionReader[InternalRow] =
    throw new UnsupportedOperationException
  override def createColumnarReader(partition: InputPartition): PartitionReader[ColumnarBatch] =
    new GivenReader(partition.asInstanceOf[GivenPartition].number, failing, breaking, run)
}

private final class GivenReader(partition: Int, failing: Long, breaking: Int, run: Int)
  extends PartitionReader[ColumnarBatch] {
  private val kept = OnHeapColumnVector.allocateColumns(4096, ColumnsOfOthers.columns)
  private val far = new OffHeapColumnVector(4096, DoubleType)
  private val allocator = new RootAllocator()
  private val numbers = new BigIntVector("n", allocator)
  private val texts = new VarCharVector("text", allocator)
  private val flags = new BitVector("flag", allocator)
  private val decimals = new DecimalVector("d", allocator, 12, 3)
  private val wide = new DecimalVector("w", allocator, 30, 3)
  private var number = -1
  private var first = partition * 1000000L

  override def next(): Boolean = {
    number += 1
    if (number == breaking) throw new IllegalStateException(s"batch $number breaks")
    number < ColumnsOfOthers.sizes.length
  }

  override def get(): ColumnarBatch = {
    val rows = ColumnsOfOthers.sizes(number)
    kept.foreach(_.reset())
    far.reset()
    kept(2).setDictionary(new ColumnDictionary(Array(10, 20, 30)))
    kept(2).reserveDictionaryIds(4096)
    Seq(numbers, texts, flags, decimals, wide).foreach(_.reset())
    for (row <- 0 until rows) fill(row, first + row)
    Seq(numbers, texts, flags, decimals, wide).foreach(_.setValueCount(rows))
    val part = new ConstantColumnVector(rows, StringType)
    if (number == 2) part.setNull() else part.setUtf8String(UTF8String.fromString(s"batch $number"))
    val own = new OwnVector(first, failing, ColumnsOfOthers.openIn(run))
    first += rows
    val vectors = Array[ColumnVector](kept(0), kept(1), kept(2), kept(3), part, far, own, kept(7)) ++
      Seq(numbers, texts, flags, decimals, wide).map(new KeptArrowVector(_)) :+ kept(13)
    new ColumnarBatch(vectors, rows)
  }

  private def fill(row: Int, id: Long): Unit = {
    def orNull(vector: WritableColumnVector, every: Int)(put: => Unit): Unit =
      if (id % every == 0) vector.putNull(row) else put
    kept(0).putLong(row, id)
    orNull(kept(1), 3)(kept(1).putByteArray(row, s"text $id".getBytes))
    orNull(kept(2), 5)(kept(2).getDictionaryIds.putInt(row, (id % 3).toInt))
    orNull(kept(3), 7)(kept(3).putBoolean(row, id % 2 == 0))
    orNull(far, 11)(far.putDouble(row, id / 7.0))
    orNull(kept(7), 4)(kept(7).putInt(row, (id % 1000).toInt))
    if (id % 6 == 0) numbers.setNull(row) else numbers.setSafe(row, id)
    if (id % 5 == 0) texts.setNull(row) else texts.setSafe(row, s"arrow $id".getBytes)
    if (id % 4 == 0) flags.setNull(row) else flags.setSafe(row, (id % 3 % 2).toInt)
    if (id % 8 == 0) decimals.setNull(row) else decimals.setSafe(row, new java.math.BigDecimal(-id).setScale(3))
    if (id % 9 == 0) wide.setNull(row) else wide.setSafe(row, new java.math.BigDecimal(s"${id}00000000000000.125"))
    orNull(kept(13), 10) {
      val child = kept(13).getChild(0)
      val at = child.getElementsAppended
      child.appendInt(id.toInt)
      child.appendNull()
      kept(13).putArray(row, at, 2)
    }
  }

  override def close(): Unit = {
    kept.foreach(_.close())
    far.close()
    Seq(numbers, texts, flags, decimals, wide).foreach(_.close())
    allocator.close()
  }
}

/** Arrow's vector is used again, so that its batch must not free it. */
private final class KeptArrowVector(vector: org.apache.arrow.vector.ValueVector) extends ArrowColumnVector(vector) {
  override def close(): Unit = ()
}

/** Throws for nulls, does not know that it has some, and is to be freed. */
private final class OwnVector(first: Long, failing: Long, open: AtomicInteger) extends ColumnVector(IntegerType) {
  open.incrementAndGet()
  private var isClosed = false
  override def close(): Unit = if (!isClosed) {
    isClosed = true
    open.decrementAndGet()
  }
  override def hasNull: Boolean = false
  override def numNulls: Int = 0
  override def isNullAt(row: Int): Boolean = (first + row) % 13 == 0
  override def getInt(row: Int): Int =
    if (isClosed) throw new IllegalStateException("it is closed")
    else if (isNullAt(row)) throw new IllegalStateException("a null has no value")
    else if (first + row == failing) throw new IllegalStateException(s"row $failing fails")
    else (first + row).toInt * 2
  private def none = throw new UnsupportedOperationException
  override def getBoolean(row: Int): Boolean = none
  override def getByte(row: Int): Byte = none
  override def getShort(row: Int): Short = none
  override def getLong(row: Int): Long = none
  override def getFloat(row: Int): Float = none
  override def getDouble(row: Int): Double = none
  override def getArray(row: Int): ColumnarArray = none
  override def getMap(row: Int): ColumnarMap = none
  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal = none
  override def getUTF8String(row: Int): UTF8String = none
  override def getBinary(row: Int): Array[Byte] = none
  override def getChild(ordinal: Int): ColumnVector = none
}
