package reprise.bridge;

/** Is told of threads, each on itself. Must be quick; what it throws is dropped. */
public interface ThreadWatcher {
  /** @param thread as the kernel numbers it */
  void begun(long thread);

  void ending();
}
