import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;

/** Jobs whose every stage is known by the method that its tasks burn their time in. */
public final class HotStages implements Serializable {
  private static volatile double sink;

  private static final Map<Integer, String> stages = new ConcurrentSkipListMap<>();

  /** Notes from now on which job each stage is of, as Spark tells it. */
  public static void watch(JavaSparkContext context) {
    stages.clear();
    context.sc().addSparkListener(new SparkListener() {
      @Override
      public void onStageSubmitted(SparkListenerStageSubmitted event) {
        stages.put(
            event.stageInfo().stageId(),
            event.properties().getProperty("spark.job.description", "none"));
      }
    });
  }

  /** Lines "stage description". */
  public static String stages(JavaSparkContext context) throws Exception {
    context.sc().listenerBus().waitUntilEmpty();
    StringBuilder lines = new StringBuilder();
    stages.forEach((stage, description) -> lines.append(stage + " " + description + "\n"));
    return lines.toString();
  }

  /** Handles the signal that async-profiler takes for its wall clock where nobody else has it. */
  public static void takeSignal() {
    sun.misc.Signal.handle(new sun.misc.Signal("VTALRM"), signal -> {});
  }

  public static void burnOne(long ms) { burn(ms, 1); }
  public static void burnTwo(long ms) { burn(ms, 2); }
  public static void burnThree(long ms) { burn(ms, 3); }

  /** Takes so much processor time, however busy the machine is. */
  private static void burn(long ms, int kind) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + ms * 1000000;
    double sum = 0;
    while (threads.getCurrentThreadCpuTime() < end) for (int i = 1; i < 20000; i++) sum += Math.sqrt(i * kind);
    sink = sum;
  }

  private static void burnNamed(String name, long ms) {
    switch (name) {
      case "burnOne": burnOne(ms); break;
      case "burnTwo": burnTwo(ms); break;
      default: burnThree(ms);
    }
  }

  /** One stage of so many tasks. */
  public static void run(JavaSparkContext context, String name, int tasks, long ms) {
    context.sc().setJobDescription(name);
    context.parallelize(numbers(tasks), tasks).foreach(number -> burnNamed(name, ms));
  }

  /** Three jobs at once, in pools of their own, again and again. */
  public static void runFair(JavaSparkContext context, int rounds, int tasks, long ms) throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (String name : List.of("burnOne", "burnTwo", "burnThree")) {
      Thread thread = new Thread(() -> {
        try {
          context.setLocalProperty("spark.scheduler.pool", name);
          for (int round = 0; round < rounds; round++) run(context, name, tasks, ms);
        } catch (Throwable e) {
          synchronized (failures) { failures.add(e); }
        }
      });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) thread.join();
    if (!failures.isEmpty()) throw new RuntimeException(failures.get(0));
  }

  /** A piped program, which a thread of its own feeds: what it reads is made by burnOne on that thread. */
  public static void pipe(JavaSparkContext context, int tasks, long ms) {
    context.sc().setJobDescription("pipe");
    context.parallelize(numbers(tasks), tasks).map(number -> {
      burnOne(ms);
      return number;
    }).pipe("cat").count();
  }

  /** Tasks that start a thread for burnTwo, and a pool of one thread for burnThree, and wait for them. */
  public static void start(JavaSparkContext context, int tasks, long ms) {
    context.sc().setJobDescription("start");
    context.parallelize(numbers(tasks), tasks).foreach(number -> {
      Thread thread = new Thread(() -> burnTwo(ms));
      thread.start();
      ExecutorService pool = Executors.newSingleThreadExecutor();
      pool.submit(() -> burnThree(ms)).get();
      pool.shutdown();
      thread.join();
    });
  }

  private static List<Integer> numbers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) numbers.add(i);
    return numbers;
  }
}
