package reprise.exec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.StreamCapabilities;

/** Reads of many ranges of a file at once, which Hadoop has since 3.3.5. */
final class VectoredReads {
  private VectoredReads() {}

  static boolean areOf(FSDataInputStream in) {
    return in.hasCapability(StreamCapabilities.VECTOREDIO);
  }

  /** Waits for none of them. */
  static List<CompletableFuture<ByteBuffer>> begin(FSDataInputStream in, long[] offsets, int[] lengths)
      throws IOException {
    List<FileRange> ranges = new ArrayList<>();
    for (int i = 0; i < offsets.length; ++i) ranges.add(FileRange.createFileRange(offsets[i], lengths[i]));
    in.readVectored(ranges, ByteBuffer::allocate);
    return ranges.stream().map(FileRange::getData).toList();
  }
}
