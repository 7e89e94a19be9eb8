package reprise.exec;

import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The process's threads that read remote files, while tasks compute. */
final class ReadThreads {
  private ReadThreads() {}

  /** They wait for others nearly all the time. */
  private static final int COUNT = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());
  private static final int IDLE_SECONDS = 10;
  private static final AtomicInteger made = new AtomicInteger();
  private static final ThreadPoolExecutor pool = newPool();

  private static ThreadPoolExecutor newPool() {
    ThreadPoolExecutor threads = new ThreadPoolExecutor(
        COUNT, COUNT, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), ReadThreads::newThread);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** It serves many tasks: nothing of that which happens to make it is inherited. */
  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(
        null, work, "reprise-read-" + made.incrementAndGet(), 0, /* inheritThreadLocals= */ false);
    thread.setDaemon(true);
    return thread;
  }

  static Future<?> submit(Runnable work) {
    return pool.submit(work);
  }
}
