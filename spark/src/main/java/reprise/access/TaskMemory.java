package reprise.access;

import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.MemoryConsumer;

import scala.Option;

/** A consumer of a task's execution memory, with where it spills to and the figures that Spark has of it. */
public abstract class TaskMemory extends MemoryConsumer {
  private final TaskContext context;

  protected TaskMemory(TaskContext context) {
    super(context.taskMemoryManager(), context.taskMemoryManager().getTungstenMemoryMode());
    this.context = context;
  }

  public String[] spillDirectories() {
    return SparkEnv.get().blockManager().diskBlockManager().localDirsString();
  }

  /** With which Spark encrypts what it spills itself; null where it does not (spark.io.encryption.enabled). */
  public byte[] spillKey() {
    Option<byte[]> key = SparkEnv.get().securityManager().getIOEncryptionKey();
    return key.isDefined() ? key.get() : null;
  }

  /** @param memory bytes that what was spilled took in memory; @param disk bytes that it takes on disk */
  protected void addSpilled(long memory, long disk) {
    TaskMetrics metrics = context.taskMetrics();
    metrics.incMemoryBytesSpilled(memory);
    metrics.incDiskBytesSpilled(disk);
  }

  protected void addPeak(long bytes) {
    context.taskMetrics().incPeakExecutionMemory(bytes);
  }
}
