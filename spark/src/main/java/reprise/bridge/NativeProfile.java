package reprise.bridge;

/** The native library's methods for profiles. Loaded only where profiles are taken. */
public final class NativeProfile {
  private static volatile ThreadWatcher watcher;

  private NativeProfile() {}

  /**
   * Runs a request of {@code core/profile/profile_request.h}, which says what it may be.
   *
   * @return the answer, JSON
   * @throws IllegalArgumentException for what a user has set wrongly, or a malformed recording
   */
  public static native String run(String requestJson);

  /** The number that the kernel gives the calling thread. */
  public static native long thread();

  /** The calling thread runs from now on where others leave time. This cannot be taken back. */
  public static native void yieldToOthers();

  /**
   * Has async-profiler, which runs with the option {@code wall}, take a wall-clock sample of each thread of {@link
   * #sample} so often.
   *
   * @param processorNanoseconds how much of the processor a thread uses between two samples of it, by which wall-clock
   *     samples may be counted; 0: they may not
   * @return why that cannot be, or null
   */
  public static native String beginWallClock(long nanoseconds, long processorNanoseconds);

  /** The recording's chunk is being ended, or has been. */
  public static native void endingChunk(boolean on);

  /** Must come before async-profiler is stopped. */
  public static native void endWallClock();

  /** @param thread as the kernel numbers it; it must be off before it ends */
  public static native void sample(long thread, boolean on);

  /**
   * Tells of each thread that begins and ends in this JVM from now on, one watcher at a time.
   *
   * @param watcher null: nobody is told any more
   * @throws IllegalArgumentException where the JVM has no tool interface
   */
  public static synchronized void watchThreads(ThreadWatcher watcher) {
    NativeProfile.watcher = watcher;
    switchWatch(watcher != null);
  }

  private static native void switchWatch(boolean on);

  /** Called by the library on the thread that begins. */
  private static void threadBegun(long thread) {
    ThreadWatcher watcher = NativeProfile.watcher;
    if (watcher != null) watcher.begun(thread);
  }

  /** Called by the library on the thread that ends. */
  private static void threadEnding() {
    ThreadWatcher watcher = NativeProfile.watcher;
    if (watcher != null) watcher.ending();
  }
}
