package reprise.exec;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.apache.hadoop.fs.FSDataInputStream;

/** Reads of many ranges of a file at once: the Hadoop that this version of Spark comes with, 3.3.4, has none. */
final class VectoredReads {
  private VectoredReads() {}

  static boolean areOf(FSDataInputStream in) {
    return false;
  }

  static List<CompletableFuture<ByteBuffer>> begin(FSDataInputStream in, long[] offsets, int[] lengths) {
    throw new IllegalStateException("a stream that reads no ranges at once");
  }
}
