package reprise.scan

import java.util.concurrent.atomic.AtomicBoolean

import org.apache.hadoop.fs.{FSDataInputStream, FSInputStream, Path}

/** A stream of that file system. */
private[scan] class FaultyStream(file: Path, in: FSDataInputStream) extends FSInputStream {
  import FaultyFileSystem.during

  override def seek(position: Long): Unit = in.seek(position)
  override def getPos: Long = in.getPos
  override def seekToNewSource(position: Long): Boolean = in.seekToNewSource(position)
  override def read(): Int = in.read()
  override def read(bytes: Array[Byte], from: Int, length: Int): Int =
    during(file, in.getPos, length)(in.read(bytes, from, length))
  override def read(position: Long, bytes: Array[Byte], from: Int, length: Int): Int =
    during(file, position, length)(in.read(position, bytes, from, length))

  private val isClosed = new AtomicBoolean

  override def close(): Unit = {
    if (!isClosed.getAndSet(true)) FaultyFileSystem.open.decrementAndGet()
    in.close()
  }
}
