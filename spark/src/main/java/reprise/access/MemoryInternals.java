package reprise.access;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.TaskMemoryManager;

/** What Spark knows of an executor's memory and keeps to itself. */
public final class MemoryInternals {
  private MemoryInternals() {}

  /** The consumers of one task's execution memory. */
  public static final class OfTask {
    public final int stage;
    public final int partition;
    public final long attempt;
    private final TaskMemoryManager manager;

    private OfTask(TaskContext context) {
      this.stage = context.stageId();
      this.partition = context.partitionId();
      this.attempt = context.taskAttemptId();
      this.manager = context.taskMemoryManager();
    }

    /** Bytes that Spark has granted it. */
    public long held() {
      return manager.getMemoryConsumptionForThisTask();
    }

    /** Those that hold some. Waits while the task asks for memory. */
    public List<Consumer> consumers() {
      List<Consumer> holding = new ArrayList<>();
      synchronized (manager) {
        for (MemoryConsumer consumer : CONSUMERS.of(manager)) {
          if (consumer.getUsed() > 0) holding.add(new Consumer(consumer.getClass().getName(), consumer.getUsed()));
        }
      }
      return holding;
    }
  }

  /** What one consumer holds, in bytes. */
  public static final class Consumer {
    public final String name;
    public final long bytes;

    private Consumer(String name, long bytes) {
      this.name = name;
      this.bytes = bytes;
    }
  }

  public static OfTask ofTask(TaskContext context) {
    return new OfTask(context);
  }

  /** Bytes that the executor's tasks and blocks use, and may use together, on the heap or off it. */
  public static final class Region {
    public final long execution;
    public final long storage;
    public final long most;

    private Region(long execution, long storage, long storageMost) {
      this.execution = execution;
      this.storage = storage;
      // What storage may use grows as execution uses less.
      this.most = storageMost + execution;
    }
  }

  public static Region onHeap() {
    MemoryManager manager = SparkEnv.get().memoryManager();
    return new Region(
        manager.onHeapExecutionMemoryUsed(), manager.onHeapStorageMemoryUsed(), manager.maxOnHeapStorageMemory());
  }

  public static Region offHeap() {
    MemoryManager manager = SparkEnv.get().memoryManager();
    return new Region(
        manager.offHeapExecutionMemoryUsed(), manager.offHeapStorageMemoryUsed(), manager.maxOffHeapStorageMemory());
  }

  private static final ConsumersField CONSUMERS = new ConsumersField();

  private static final class ConsumersField {
    private final Field field;

    ConsumersField() {
      try {
        field = TaskMemoryManager.class.getDeclaredField("consumers");
        field.setAccessible(true);
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException("this version of Spark keeps a task's memory consumers elsewhere", e);
      }
    }

    @SuppressWarnings("unchecked")
    Iterable<MemoryConsumer> of(TaskMemoryManager manager) {
      try {
        return (Iterable<MemoryConsumer>) field.get(manager);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
