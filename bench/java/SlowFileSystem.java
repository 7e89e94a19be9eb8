package reprise.bench;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * The local file system as slow as one that is far away: every request (for a status, a listing, or bytes that do not
 * follow those read before) takes 20 ms, and a stream gives 100 MB a second. Requests and bytes are counted.
 */
public final class SlowFileSystem extends RawLocalFileSystem {
  private static final long REQUEST_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long SLEEP_NS_MIN = TimeUnit.MILLISECONDS.toNanos(2);
  private static final double NS_PER_BYTE = 10;
  private static final AtomicLong requests = new AtomicLong();
  private static final AtomicLong bytes = new AtomicLong();

  public static long requests() {
    return requests.get();
  }

  public static long bytes() {
    return bytes.get();
  }

  @Override
  public URI getUri() {
    return URI.create("slow:///");
  }

  @Override
  public String getScheme() {
    return "slow";
  }

  @Override
  public FileStatus getFileStatus(Path file) throws IOException {
    request(0);
    return super.getFileStatus(file);
  }

  @Override
  public FileStatus[] listStatus(Path folder) throws IOException {
    request(0);
    return super.listStatus(folder);
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    return new FSDataInputStream(new Stream(super.open(file, bufferSize)));
  }

  private static void request(long transferNs) throws IOException {
    requests.incrementAndGet();
    take(REQUEST_NS + transferNs);
  }

  private static void take(long nanoseconds) throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanoseconds);
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException().initCause(e);
    }
  }

  private static final class Stream extends FSInputStream {
    private final FSDataInputStream in;
    private long next = -1;
    private long owedNs;

    Stream(FSDataInputStream in) {
      this.in = in;
    }

    private void answer(long position, int length) throws IOException {
      owedNs += (long) (length * NS_PER_BYTE);
      boolean goesOn = position == next;
      next = position + length;
      bytes.addAndGet(length);
      // Nobody can sleep for the time of a few bytes: what goes on in small steps pays for many at once.
      if (goesOn && owedNs < SLEEP_NS_MIN) return;
      long due = owedNs;
      owedNs = 0;
      if (goesOn) take(due);
      else request(due);
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      long position = in.getPos();
      int read = in.read(buffer, from, length);
      if (read > 0) answer(position, read);
      return read;
    }

    @Override
    public int read(long position, byte[] buffer, int from, int length) throws IOException {
      int read = in.read(position, buffer, from, length);
      if (read > 0) answer(position, read);
      return read;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) throws IOException {
      return in.seekToNewSource(position);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
