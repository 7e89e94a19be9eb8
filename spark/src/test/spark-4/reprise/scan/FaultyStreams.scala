package reprise.scan

import java.util.function.IntFunction

import org.apache.hadoop.fs.{FileRange, FSDataInputStream, Path, StreamCapabilities}

/** Streams that read several ranges at once, by themselves or as any stream does. */
private[scan] object FaultyStreams {
  def of(file: Path, in: FSDataInputStream): FaultyStream = new VectoredStream(file, in)
}

private final class VectoredStream(file: Path, in: FSDataInputStream) extends FaultyStream(file, in) with StreamCapabilities {
  override def hasCapability(capability: String): Boolean =
    capability == StreamCapabilities.VECTOREDIO && FaultyFileSystem.isVectored

  override def readVectored(ranges: java.util.List[_ <: FileRange], allocate: IntFunction[java.nio.ByteBuffer]): Unit = {
    // Spark's reader asks every stream for it.
    if (FaultyFileSystem.called()) FaultyFileSystem.vectoredReads.incrementAndGet()
    if (FaultyFileSystem.isVectored) in.readVectored(ranges, allocate) else super.readVectored(ranges, allocate)
  }
}
