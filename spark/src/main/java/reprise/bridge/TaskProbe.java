package reprise.bridge;

/** Asked by a running fragment at every batch. */
public interface TaskProbe {
  /**
   * Whether Spark wants the task to stop. May also throw (Spark's TaskKilledException, say): the Throwable leaves
   * {@link Native#next} as it is.
   */
  boolean isCancelled();
}
