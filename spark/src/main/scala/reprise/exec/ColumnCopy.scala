package reprise.exec

import org.apache.spark.SparkException
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.vectorized.WritableColumnVector
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector}
import org.apache.spark.unsafe.Platform

/** How the values of a type are copied to the core's memory: see [[reprise.bridge.ColumnSource]]. */
private[exec] sealed trait ColumnCopy

private[exec] object ColumnCopy {
  def of(dataType: DataType): ColumnCopy = dataType match {
    case BooleanType => BooleanCopy
    case ByteType => ByteCopy
    case ShortType => ShortCopy
    case IntegerType | DateType | _: YearMonthIntervalType => IntCopy
    case FloatType => FloatCopy
    case DoubleType => DoubleCopy
    case decimal: DecimalType if decimal.precision <= Decimal.MAX_LONG_DIGITS => new DecimalCopy(decimal)
    case decimal: DecimalType => new LongDecimalCopy(decimal)
    case _: StringType => StringCopy
    case BinaryType => BinaryCopy
    case user: UserDefinedType[_] => of(user.sqlType)
    // Instants and day-time intervals, and times of day, which not every Spark knows.
    case other if UnsafeRow.isFixedLength(other) => LongCopy
    case other => new StoredCopy(other)
  }
}

/** Values of equal width. Those of nulls are not asked for: some vectors throw then. */
private[exec] sealed abstract class FixedCopy(width: Int) extends ColumnCopy {

  /** @return how many are null */
  final def copy(vector: ColumnVector, first: Int, count: Int, asked: Int, to: Long, nulls: Long): Long = {
    if (asked != width) throw SparkException.internalError(s"values of $width bytes are asked for as of $asked")
    val nullCount = flagNulls(vector, first, count, nulls)
    vector match {
      // Such a vector holds something for a null too.
      case writable: WritableColumnVector =>
        copyAtOnce(writable, first, count, to)
        nullCount
      case _ => nullCount + copyEach(vector, first, count, to, nulls, nullCount > 0)
    }
  }

  protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit

  /** @return how many are null that the vector has not said so of */
  protected def copyEach(vector: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int

  protected final def isNull(nulls: Long, hasNulls: Boolean, i: Int): Boolean =
    hasNulls && Platform.getByte(null, nulls + i) != 0

  protected final def copyArray(array: AnyRef, offset: Long, count: Int, to: Long): Unit =
    Platform.copyMemory(array, offset, null, to, count.toLong * width)

  private def flagNulls(vector: ColumnVector, first: Int, count: Int, nulls: Long): Int =
    if (!mayHaveNull(vector)) 0
    else {
      var nullCount = 0
      var i = 0
      while (i < count) {
        val isNull = vector.isNullAt(first + i)
        Platform.putByte(null, nulls + i, if (isNull) 1 else 0)
        if (isNull) nullCount += 1
        i += 1
      }
      nullCount
    }

  /** Spark itself asks others for each row alone, so that what they say of all may have never been looked at. */
  private def mayHaveNull(vector: ColumnVector): Boolean =
    vector.hasNull || !vector.getClass.getName.startsWith("org.apache.spark.")
}

private object BooleanCopy extends FixedCopy(1) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getBooleans(first, count), Platform.BOOLEAN_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putBoolean(null, to + i, v.getBoolean(first + i))
      i += 1
    }
    0
  }
}

private object ByteCopy extends FixedCopy(1) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getBytes(first, count), Platform.BYTE_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putByte(null, to + i, v.getByte(first + i))
      i += 1
    }
    0
  }
}

private object ShortCopy extends FixedCopy(2) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getShorts(first, count), Platform.SHORT_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putShort(null, to + 2L * i, v.getShort(first + i))
      i += 1
    }
    0
  }
}

private object IntCopy extends FixedCopy(4) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getInts(first, count), Platform.INT_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putInt(null, to + 4L * i, v.getInt(first + i))
      i += 1
    }
    0
  }
}

private object LongCopy extends FixedCopy(8) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getLongs(first, count), Platform.LONG_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putLong(null, to + 8L * i, v.getLong(first + i))
      i += 1
    }
    0
  }
}

/** As their bits, so that a NaN keeps them. */
private object FloatCopy extends FixedCopy(4) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getFloats(first, count), Platform.FLOAT_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putFloat(null, to + 4L * i, v.getFloat(first + i))
      i += 1
    }
    0
  }
}

private object DoubleCopy extends FixedCopy(8) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    copyArray(vector.getDoubles(first, count), Platform.DOUBLE_ARRAY_OFFSET, count, to)

  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var i = 0
    while (i < count) {
      if (!isNull(nulls, hasNulls, i)) Platform.putDouble(null, to + 8L * i, v.getDouble(first + i))
      i += 1
    }
    0
  }
}

/** Decimals of up to 18 digits, as their unscaled values. */
private final class DecimalCopy(of: DecimalType) extends FixedCopy(8) {
  override protected def copyAtOnce(vector: WritableColumnVector, first: Int, count: Int, to: Long): Unit =
    if (of.precision > Decimal.MAX_INT_DIGITS) {
      copyArray(vector.getLongs(first, count), Platform.LONG_ARRAY_OFFSET, count, to)
    } else {
      val values = vector.getInts(first, count)
      var i = 0
      while (i < count) {
        Platform.putLong(null, to + 8L * i, values(i))
        i += 1
      }
    }

  /** What has too many digits is null in Spark's rows. */
  override protected def copyEach(v: ColumnVector, first: Int, count: Int, to: Long, nulls: Long, hasNulls: Boolean): Int = {
    var flagged = hasNulls
    var overflows = 0
    var i = 0
    while (i < count) {
      if (!isNull(nulls, flagged, i)) {
        val value = v.getDecimal(first + i, of.precision, of.scale)
        if (value != null && value.changePrecision(of.precision, of.scale)) {
          Platform.putLong(null, to + 8L * i, value.toUnscaledLong)
        } else {
          if (!flagged) Platform.setMemory(nulls, 0, count)
          flagged = true
          Platform.putByte(null, nulls + i, 1)
          overflows += 1
        }
      }
      i += 1
    }
    overflows
  }
}

/** Values of various lengths. */
private[exec] sealed abstract class BytesCopy extends ColumnCopy {

  /** Until a value does not fit. @return see [[reprise.bridge.ColumnSource]] */
  final def copy(batch: ColumnarBatch, column: Int, first: Int, count: Int, to: FilledValues): Long = {
    val vector = batch.column(column)
    val end = first + count
    var row = first
    while (row < end && add(batch, vector, row, to)) row += 1
    to.result
  }

  private def add(batch: ColumnarBatch, vector: ColumnVector, row: Int, to: FilledValues): Boolean =
    if (vector.isNullAt(row)) {
      to.addNull()
      true
    } else addValue(batch, vector, row, to)

  protected def addValue(batch: ColumnarBatch, vector: ColumnVector, row: Int, to: FilledValues): Boolean
}

private object StringCopy extends BytesCopy {
  override protected def addValue(batch: ColumnarBatch, vector: ColumnVector, row: Int, to: FilledValues): Boolean =
    to.add(vector.getUTF8String(row))
}

private object BinaryCopy extends BytesCopy {
  override protected def addValue(batch: ColumnarBatch, vector: ColumnVector, row: Int, to: FilledValues): Boolean =
    to.add(vector.getBinary(row))
}

private final class LongDecimalCopy(of: DecimalType) extends BytesCopy {
  override protected def addValue(batch: ColumnarBatch, vector: ColumnVector, row: Int, to: FilledValues): Boolean = {
    val value = vector.getDecimal(row, of.precision, of.scale)
    if (value != null && value.changePrecision(of.precision, of.scale)) {
      to.add(value.toJavaBigDecimal.unscaledValue.toByteArray)
    } else {
      to.addNull()
      true
    }
  }
}

/** Arrays, maps, structs and the like, as rows keep them. */
private final class StoredCopy(dataType: DataType) extends BytesCopy {
  private val toUnsafe = UnsafeProjection.create(Array[DataType](dataType))
  private val alone = new Array[ColumnVector](1)

  /** The column alone, as a row sees it. */
  private var single: ColumnarBatch = _

  override protected def addValue(batch: ColumnarBatch, vector: ColumnVector, row: Int, to: FilledValues): Boolean = {
    if (alone(0) ne vector) {
      alone(0) = vector
      single = new ColumnarBatch(alone)
    }
    single.setNumRows(batch.numRows)
    val unsafe = toUnsafe(single.getRow(row))
    val place = unsafe.getLong(0)
    to.add(unsafe.getBaseObject, unsafe.getBaseOffset + (place >>> 32), place.toInt)
  }
}
