package reprise.exec;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.util.functional.FutureIO;

import reprise.bridge.StoredFile;

/**
 * A file of one of Hadoop's file systems. Where its streams read ranges side by side by themselves
 * ({@code readVectored}), or let threads read beside each other, as those of HDFS do, one stream does all; else each
 * thread that reads a piece has a stream of its own meanwhile.
 */
final class RemoteFile implements StoredFile {
  // Hadoop's constant of this name is younger than the option, which older versions pass over.
  private static final String READ_POLICY_OPTION = "fs.option.openfile.read.policy";
  private static final String READ_POLICY = "vector, random";

  private final RemoteFiles files;
  private final String location;
  private final List<RemotePiece> pieces = new ArrayList<>();
  private final CompletableFuture<long[]> opened = new CompletableFuture<>();
  private RemotePiece tail;
  private volatile FileSystem client;
  private volatile FileStatus status;

  // Guarded by this object: streams that nobody reads.
  private final Deque<FSDataInputStream> idle = new ArrayDeque<>();
  private FSDataInputStream shared;
  private boolean isClosed;

  RemoteFile(RemoteFiles files, String location) {
    this.files = files;
    this.location = location;
  }

  void open(long address, int bytes, long[] known) {
    tail = new RemotePiece(0, bytes, address);
    tail.runs(files.submit(
        () -> {
          opened.complete(look(known));
          return null;
        },
        opened::completeExceptionally));
  }

  private long[] look(long[] known) throws Exception {
    Path path = new Path(new URI(location));
    client = files.fileSystem(path);
    status = client.getFileStatus(path);
    long[] version = {RemoteFiles.numberOf(client), status.getLen(), status.getModificationTime()};
    if (!Arrays.equals(version, known)) {
      int length = (int) Math.min(tail.length, status.getLen());
      byte[] bytes = new byte[length];
      readFully(status.getLen() - length, bytes);
      tail.put(ByteBuffer.wrap(bytes));
    }
    return version;
  }

  @Override
  public boolean awaitOpen(int milliseconds, long[] version) throws IOException {
    if (!isDone(opened, milliseconds)) return false;
    System.arraycopy(opened.join(), 0, version, 0, version.length);
    return true;
  }

  @Override
  public int start(long[] offsets, int[] lengths, long[] addresses) {
    int first = pieces.size();
    for (int i = 0; i < offsets.length; ++i) {
      pieces.add(new RemotePiece(offsets[i], lengths[i], addresses[i]));
    }
    List<RemotePiece> started = List.copyOf(pieces.subList(first, pieces.size()));
    RemotePiece one = started.get(0);
    one.runs(files.submit(
        () -> {
          begin(started);
          return null;
        },
        e -> started.forEach(piece -> piece.failed(e))));
    return first;
  }

  private void begin(List<RemotePiece> started) throws IOException {
    FSDataInputStream in = take();
    boolean isUsable = false;
    try {
      if (!VectoredReads.areOf(in)) {
        isUsable = true;
      } else {
        readVectored(in, started);
        isUsable = true;
        return;
      }
    } finally {
      give(in, isUsable);
    }
    for (RemotePiece other : started.subList(1, started.size())) {
      other.runs(files.submit(() -> read(other), other::failed));
    }
    read(started.get(0));
  }

  /** Waits for none of them. What fails is read by itself: not all file systems try again what breaks in such a read. */
  private void readVectored(FSDataInputStream in, List<RemotePiece> pieces) throws IOException {
    List<CompletableFuture<ByteBuffer>> reads = VectoredReads.begin(
        in,
        pieces.stream().mapToLong(piece -> piece.offset).toArray(),
        pieces.stream().mapToInt(piece -> piece.length).toArray());
    for (int i = 0; i < reads.size(); ++i) {
      RemotePiece piece = pieces.get(i);
      reads.get(i).whenComplete((bytes, failure) -> {
        if (failure == null) piece.put(bytes);
        else piece.runs(files.submit(() -> read(piece), piece::failed));
      });
    }
  }

  private Void read(RemotePiece piece) throws IOException {
    byte[] bytes = new byte[piece.length];
    readFully(piece.offset, bytes);
    piece.put(ByteBuffer.wrap(bytes));
    return null;
  }

  private void readFully(long offset, byte[] bytes) throws IOException {
    FSDataInputStream in = take();
    boolean isUsable = false;
    try {
      in.readFully(offset, bytes);
      isUsable = true;
    } finally {
      give(in, isUsable);
    }
  }

  private FSDataInputStream take() throws IOException {
    synchronized (this) {
      if (isClosed) throw new InterruptedIOException("the file is closed");
      FSDataInputStream in = shared == null ? idle.poll() : shared;
      if (in != null) return in;
    }
    return FutureIO.awaitFuture(client.openFile(status.getPath())
        .withFileStatus(status)
        .opt(READ_POLICY_OPTION, READ_POLICY)
        .build());
  }

  private void give(FSDataInputStream in, boolean isUsable) throws IOException {
    synchronized (this) {
      if (in == shared) return;
      if (isUsable && !isClosed) {
        if (shared == null && in instanceof HdfsDataInputStream) shared = in;
        else idle.push(in);
        return;
      }
    }
    in.close();
  }

  @Override
  public boolean await(int piece, int milliseconds) throws IOException {
    return isDone(pieces.get(piece).read, milliseconds);
  }

  private static boolean isDone(CompletableFuture<?> read, int milliseconds) throws IOException {
    try {
      if (read.isDone()) {
        read.get();
      } else if (milliseconds == 0) {
        return false;
      } else {
        read.get(milliseconds, TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (TimeoutException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the task's thread was interrupted");
    } catch (ExecutionException e) {
      throw asIOException(e.getCause());
    }
  }

  private static IOException asIOException(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof UndeclaredThrowableException && cause.getCause() != null) cause = cause.getCause();
    return cause instanceof IOException ? (IOException) cause : new IOException(cause);
  }

  @Override
  public void close() {
    tail.giveUp();
    pieces.forEach(RemotePiece::giveUp);
    List<FSDataInputStream> unused;
    synchronized (this) {
      isClosed = true;
      if (shared != null) idle.push(shared);
      unused = List.copyOf(idle);
      idle.clear();
    }
    // It may say farewell to a server.
    if (unused.isEmpty()) return;
    files.submit(
        () -> {
          for (FSDataInputStream in : unused) in.close();
          return null;
        },
        e -> { /* Nobody waits for it. */ });
  }
}
