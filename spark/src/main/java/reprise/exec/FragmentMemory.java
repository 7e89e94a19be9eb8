package reprise.exec;

import java.io.IOException;
import java.util.TimeZone;

import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.sql.catalyst.util.RebaseDateTime;

import reprise.access.TaskMemory;
import reprise.bridge.Native;
import reprise.bridge.NativeException;
import reprise.bridge.TaskProbe;

/**
 * A fragment as a consumer of its task's execution memory.
 *
 * <p>With {@code spark.memory.offHeap.enabled} it draws on off-heap memory. Without, on the memory that Spark has for
 * execution on the heap, although the core's memory is not there: so it is bounded all the same, shares fairly with
 * other tasks, and what Spark itself holds is spilled for it.
 */
public class FragmentMemory extends TaskMemory implements TaskProbe {
  private final TaskContext context;
  private volatile long fragment;
  private final long[] figures = new long[4];
  private long reportedMemory;
  private long reportedDisk;

  public FragmentMemory(TaskContext context) {
    super(context);
    this.context = context;
  }

  /** From now on Spark may ask the fragment to spill. */
  public void attach(long fragment) {
    this.fragment = fragment;
  }

  @Override
  public boolean isCancelled() {
    return context.isInterrupted();
  }

  @Override
  public long acquire(long bytes) {
    return acquireMemory(bytes);
  }

  @Override
  public void release(long bytes) {
    freeMemory(bytes);
  }

  @Override
  public void toProleptic(String zone, long[] micros) {
    String known = zone == null ? TimeZone.getDefault().getID() : zone;
    for (int i = 0; i < micros.length; ++i) {
      micros[i] = RebaseDateTime.rebaseJulianToGregorianMicros(known, micros[i]);
    }
  }

  @Override
  public long spill(long size, MemoryConsumer trigger) throws IOException {
    // Where the core itself asks for more it spills by itself: it knows who is able to.
    if (trigger == this || fragment == 0) return 0;
    try {
      return Native.spill(fragment, size);
    } catch (NativeException e) {
      throw new IOException(e);
    }
  }

  /** Adds what the fragment has spilled since the last time to the task's figures. @return time waited, in ns */
  public long report() {
    Native.taskFigures(fragment, figures);
    addSpilled(figures[0] - reportedMemory, figures[1] - reportedDisk);
    reportedMemory = figures[0];
    reportedDisk = figures[1];
    return figures[3];
  }

  /** Adds the fragment's peak of memory to the task's; once, at its end. */
  public void reportPeak() {
    addPeak(figures[2]);
  }
}
