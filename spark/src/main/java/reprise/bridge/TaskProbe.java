package reprise.bridge;

/** What a running fragment asks of its task. Called on the threads that call the fragment. */
public interface TaskProbe {
  /**
   * Whether Spark wants the task to stop; asked at every batch. May also throw (Spark's TaskKilledException, say): the
   * Throwable leaves {@link Native#next} as it is.
   */
  boolean isCancelled();

  /**
   * Asks for memory; may wait for other tasks.
   *
   * @return how many of the bytes are granted, 0 to {@code bytes}
   */
  default long acquire(long bytes) {
    return bytes;
  }

  /** Gives back memory that was granted. */
  default void release(long bytes) {}

  /**
   * Gives instants of the hybrid calendar, in microseconds, in place in the proleptic Gregorian one.
   *
   * @param zone in which both show the same local time; null: the JVM's own
   */
  default void toProleptic(String zone, long[] micros) {
    throw new UnsupportedOperationException("instants of the legacy calendar");
  }

  /**
   * How long, in milliseconds, the median of those tasks of this one's stage that have ended has taken; may wait for the
   * driver.
   *
   * @return below 0 where none has ended, or nobody can say
   */
  default long medianTaskMs() {
    return -1;
  }

  /** The directories for files of what does not fit into memory; they exist. None: the system's for temporary files. */
  default String[] spillDirectories() {
    return new String[0];
  }

  /** The AES key of 16, 24 or 32 bytes with which those files are encrypted; null: they are not. */
  default byte[] spillKey() {
    return null;
  }
}
