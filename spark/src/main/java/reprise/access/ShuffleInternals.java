package reprise.access;

import java.util.ArrayList;
import java.util.List;

import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.RangePartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.ShuffleManager;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.sql.execution.CoalescedMapperPartitionSpec;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.PartialMapperPartitionSpec;
import org.apache.spark.sql.execution.PartialReducerPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter;

import scala.Product2;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.reflect.ClassTag$;

/** Spark's shuffle, which it keeps {@code private[spark]}. */
public final class ShuffleInternals {
  private ShuffleInternals() {}

  /** What a partition of a shuffle read consists of, through whatever shuffle manager there is. */
  @SuppressWarnings("unchecked")
  public static Iterator<Product2<Object, byte[]>> read(
      ShuffleDependency<Object, byte[], byte[]> dependency,
      ShufflePartitionSpec spec,
      Map<String, SQLMetric> metrics,
      TaskContext context) {
    TempShuffleReadMetrics counted =
        new SQLShuffleReadMetricsReporter(context.taskMetrics().createTempShuffleReadMetrics(), metrics);
    ShuffleManager manager = SparkEnv.get().shuffleManager();
    Maps maps = Maps.of(spec);
    // Some managers offer more for a read of all maps than for one of some.
    return maps.all
        ? (Iterator) manager.getReader(
            dependency.shuffleHandle(), maps.firstReducer, maps.endReducer, context, counted).read()
        : (Iterator) manager.getReader(
            dependency.shuffleHandle(), maps.first, maps.end, maps.firstReducer, maps.endReducer, context, counted)
            .read();
  }

  /** Says to the tasks of the jobs to come whether one request may ask for the blocks of several partitions. */
  public static void fetchInBatches(SparkContext context, boolean enabled) {
    context.setLocalProperty(
        SortShuffleManager.FETCH_SHUFFLE_BLOCKS_IN_BATCH_ENABLED_KEY(), Boolean.toString(enabled));
  }

  /** The hosts that hold most of a partition. Driver. */
  public static List<String> locations(
      ShuffleDependency<Object, byte[], byte[]> dependency, ShufflePartitionSpec spec) {
    MapOutputTrackerMaster tracker = (MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker();
    Maps maps = Maps.of(spec);
    if (!maps.all) {
      return ScalaCollections.asJava(tracker.getMapLocation(dependency, maps.first, maps.end));
    }
    List<String> hosts = new ArrayList<>();
    for (int reducer = maps.firstReducer; reducer < maps.endReducer; reducer++) {
      hosts.addAll(ScalaCollections.asJava(tracker.getPreferredLocationsForShuffle(dependency, reducer)));
    }
    return hosts;
  }

  /**
   * The same elements, marked so that Spark runs the whole stage again where a lost partition could come back in
   * another order.
   */
  public static <T> RDD<T> orderSensitive(RDD<T> rdd) {
    return rdd.mapPartitionsWithIndex(new SameElements<T>(), false, true, ClassTag$.MODULE$.apply(Object.class));
  }

  private static final class SameElements<T>
      extends scala.runtime.AbstractFunction2<Object, Iterator<T>, Iterator<T>> implements java.io.Serializable {
    @Override
    public Iterator<T> apply(Object partition, Iterator<T> elements) {
      return elements;
    }
  }

  /** The bounds that a partitioner has found by sampling. */
  public static Object[] bounds(RangePartitioner<?, ?> partitioner) {
    try {
      java.lang.reflect.Field bounds = RangePartitioner.class.getDeclaredField("rangeBounds");
      bounds.setAccessible(true);
      return (Object[]) bounds.get(partitioner);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of Spark keeps the bounds of a RangePartitioner elsewhere", e);
    }
  }

  /** The maps and reducers that a partition reads. */
  private static final class Maps {
    final boolean all;
    final int first;
    final int end;
    final int firstReducer;
    final int endReducer;

    private Maps(boolean all, int first, int end, int firstReducer, int endReducer) {
      this.all = all;
      this.first = first;
      this.end = end;
      this.firstReducer = firstReducer;
      this.endReducer = endReducer;
    }

    static Maps of(ShufflePartitionSpec spec) {
      if (spec instanceof CoalescedPartitionSpec) {
        CoalescedPartitionSpec s = (CoalescedPartitionSpec) spec;
        return new Maps(true, 0, 0, s.startReducerIndex(), s.endReducerIndex());
      } else if (spec instanceof PartialReducerPartitionSpec) {
        PartialReducerPartitionSpec s = (PartialReducerPartitionSpec) spec;
        return new Maps(false, s.startMapIndex(), s.endMapIndex(), s.reducerIndex(), s.reducerIndex() + 1);
      } else if (spec instanceof PartialMapperPartitionSpec) {
        PartialMapperPartitionSpec s = (PartialMapperPartitionSpec) spec;
        return new Maps(false, s.mapIndex(), s.mapIndex() + 1, s.startReducerIndex(), s.endReducerIndex());
      } else if (spec instanceof CoalescedMapperPartitionSpec) {
        CoalescedMapperPartitionSpec s = (CoalescedMapperPartitionSpec) spec;
        return new Maps(false, s.startMapIndex(), s.endMapIndex(), 0, s.numReducers());
      }
      throw new IllegalArgumentException("an unknown arrangement of shuffle partitions: " + spec);
    }
  }
}
