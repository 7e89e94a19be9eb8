package reprise.exec;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import org.apache.spark.unsafe.Platform;

/** A piece of a remote file that is being read to an address of the core's memory, unless it is given up. */
final class RemotePiece {
  final long offset;
  final int length;
  /** Done when the bytes are where they were to go. */
  final CompletableFuture<Void> read = new CompletableFuture<>();
  private long address;
  private Future<?> running;

  RemotePiece(long offset, int length, long address) {
    this.offset = offset;
    this.length = length;
    this.address = address;
  }

  /** Tells what is to be interrupted where the piece is given up. */
  synchronized void runs(Future<?> running) {
    this.running = running;
    if (address == 0) running.cancel(true);
  }

  void put(ByteBuffer bytes) {
    copy(bytes);
    read.complete(null);
  }

  // Memory that was given up may be somebody else's.
  private synchronized void copy(ByteBuffer bytes) {
    if (address == 0) return;
    if (!bytes.hasArray()) {
      byte[] copied = new byte[bytes.remaining()];
      bytes.get(copied);
      bytes = ByteBuffer.wrap(copied);
    }
    Platform.copyMemory(
        bytes.array(),
        Platform.BYTE_ARRAY_OFFSET + bytes.arrayOffset() + bytes.position(),
        null,
        address,
        bytes.remaining());
  }

  void failed(Throwable e) {
    read.completeExceptionally(e);
  }

  synchronized void giveUp() {
    address = 0;
    if (running != null) running.cancel(true);
  }
}
