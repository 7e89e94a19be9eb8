package reprise.exec

import java.io.{DataInputStream, DataOutputStream, EOFException, InputStream, OutputStream}
import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.serializer.{DeserializationStream, SerializationStream, Serializer, SerializerInstance}

import reprise.ledger.ChecksummedWhereMade

/**
 * Writes the core's encoded blocks to a shuffle: four bytes of length, the block. The partition needs no place: the
 * stream that a block stands in says it.
 */
private[reprise] final class BlockSerializer extends Serializer with Serializable with ChecksummedWhereMade {
  override def newInstance(): SerializerInstance = new BlockSerializerInstance

  /** Blocks stand for themselves, wherever they are in a stream. */
  override def supportsRelocationOfSerializedObjects: Boolean = true
}

private final class BlockSerializerInstance extends SerializerInstance {
  override def serializeStream(stream: OutputStream): SerializationStream = new BlockWriter(new DataOutputStream(stream))
  override def deserializeStream(stream: InputStream): DeserializationStream =
    new BlockReader(new DataInputStream(stream))

  // Spark's shuffle uses streams alone.
  override def serialize[T: ClassTag](t: T): ByteBuffer = throw new UnsupportedOperationException
  override def deserialize[T: ClassTag](bytes: ByteBuffer): T = throw new UnsupportedOperationException
  override def deserialize[T: ClassTag](bytes: ByteBuffer, loader: ClassLoader): T =
    throw new UnsupportedOperationException
}

private final class BlockWriter(out: DataOutputStream) extends SerializationStream {
  override def writeKey[T: ClassTag](key: T): SerializationStream = this

  override def writeValue[T: ClassTag](value: T): SerializationStream = {
    val block = value.asInstanceOf[Array[Byte]]
    out.writeInt(block.length)
    out.write(block)
    this
  }

  override def writeObject[T: ClassTag](t: T): SerializationStream = throw new UnsupportedOperationException
  override def flush(): Unit = out.flush()
  override def close(): Unit = out.close()
}

private final class BlockReader(in: DataInputStream) extends DeserializationStream {
  override def asKeyValueIterator: Iterator[(Any, Any)] = new Iterator[(Any, Any)] {
    private var block = read()
    override def hasNext: Boolean = block != null
    override def next(): (Any, Any) = {
      if (block == null) throw new NoSuchElementException("the shuffle has no more blocks")
      val pair = (null, block)
      block = read()
      pair
    }
  }

  /** The next block, or null where the stream ends between two. */
  private def read(): Array[Byte] = {
    val first = in.read()
    if (first < 0) {
      in.close()
      null
    } else {
      val length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort()
      if (length < 0) throw new EOFException(s"a shuffle block of $length bytes: the stream is damaged")
      val block = new Array[Byte](length)
      in.readFully(block)
      block
    }
  }

  override def readObject[T: ClassTag](): T = throw new UnsupportedOperationException
  override def close(): Unit = in.close()
}
