package reprise.access;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;

import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec$;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeLike;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationWithAllNullKeys$;
import org.apache.spark.sql.execution.joins.UnsafeHashedRelation;
import org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex;
import org.apache.spark.util.SparkFatalException;

import scala.Some;
import scala.collection.Iterator;
import scala.concurrent.Future;

/** What Spark keeps to its own broadcasts. */
public final class BroadcastInternals {
  private BroadcastInternals() {}

  /** The threads that collect and send broadcasts. */
  public static ExecutorService executor() {
    return BroadcastExchangeExec$.MODULE$.executionContext();
  }

  /** The broadcast that the exchange starts to make. Scala 2.12 and 2.13 write the call in two ways. */
  public static Future<Broadcast<Object>> submitted(BroadcastExchangeLike exchange) {
    return exchange.submitBroadcastJob();
  }

  /** An error that would end the JVM, as an exception that a future can carry. */
  public static Exception carried(Throwable fatal) {
    return new SparkFatalException(fatal);
  }

  public static Throwable tooLarge(long limit, long bytes) {
    return QueryExecutionErrors.cannotBroadcastTableOverMaxTableBytesError(limit, bytes);
  }

  public static Throwable tooLate(long seconds, TimeoutException cause) {
    return QueryExecutionErrors.executeBroadcastTimeoutError(seconds, new Some<>(cause));
  }

  public static Throwable notRows(String node) {
    return QueryExecutionErrors.executeCodePathUnsupportedError(node);
  }

  /**
   * The rows of a relation that Spark has broadcast; each is valid until the next one is asked for. Those of one key
   * come as they came into the relation, which itself gives the latest first.
   *
   * @param fields columns of the relation's rows
   */
  public static Iterator<InternalRow> rows(Object relation, int fields) {
    if (relation == HashedRelationWithAllNullKeys$.MODULE$) {
      // A null-aware anti join asks for no more than that there is a null key.
      return scala.collection.Iterator$.MODULE$.single(new GenericInternalRow(fields));
    }
    if (relation instanceof InternalRow[]) {
      return ScalaCollections.asScala(Arrays.asList((InternalRow[]) relation).iterator());
    }
    if (relation instanceof UnsafeHashedRelation) {
      // Its keys() gives a key as often as it has rows.
      UnsafeHashedRelation own = ((UnsafeHashedRelation) relation).asReadOnlyCopy();
      return own.keyIsUnique()
          ? own.valuesWithKeyIndex().map(new ValueOf())
          : new EarliestFirst(own.valuesWithKeyIndex());
    }
    if (relation instanceof HashedRelation) {
      HashedRelation own = ((HashedRelation) relation).asReadOnlyCopy();
      return new RowsOfKeys(own);
    }
    throw new IllegalStateException("a broadcast of " + relation.getClass().getName() + " cannot be read as rows");
  }

  /** Whether the relation is one object for all broadcasts that have no row to find. */
  public static boolean isConstant(Object relation) {
    return relation == EmptyHashedRelation$.MODULE$ || relation == HashedRelationWithAllNullKeys$.MODULE$;
  }

  private static final class ValueOf
      extends scala.runtime.AbstractFunction1<ValueRowWithKeyIndex, InternalRow> {
    @Override
    public InternalRow apply(ValueRowWithKeyIndex row) {
      return row.getValue();
    }
  }

  /** The rows of each key the other way round; those of one key come one after the other. */
  private static final class EarliestFirst extends scala.collection.AbstractIterator<InternalRow> {
    private final Iterator<ValueRowWithKeyIndex> rows;
    private final ArrayDeque<InternalRow> ofKey = new ArrayDeque<>();
    private InternalRow nextKeysLatest;
    private int nextKey;

    EarliestFirst(Iterator<ValueRowWithKeyIndex> rows) {
      this.rows = rows;
      advance();
    }

    private void advance() {
      nextKeysLatest = null;
      if (!rows.hasNext()) return;
      ValueRowWithKeyIndex row = rows.next();
      nextKey = row.getKeyIndex();
      nextKeysLatest = row.getValue().copy();
    }

    @Override
    public boolean hasNext() {
      return !ofKey.isEmpty() || nextKeysLatest != null;
    }

    @Override
    public InternalRow next() {
      if (ofKey.isEmpty()) {
        int key = nextKey;
        while (nextKeysLatest != null && nextKey == key) {
          ofKey.push(nextKeysLatest);
          advance();
        }
      }
      return ofKey.pop();
    }
  }

  /** The rows of each key, the earliest first. */
  private static final class RowsOfKeys extends scala.collection.AbstractIterator<InternalRow> {
    private final HashedRelation relation;
    private final Iterator<InternalRow> keys;
    private Iterator<InternalRow> ofKey = ScalaCollections.asScala(Collections.emptyIterator());

    RowsOfKeys(HashedRelation relation) {
      this.relation = relation;
      keys = relation.keys();
    }

    @Override
    public boolean hasNext() {
      while (!ofKey.hasNext() && keys.hasNext()) {
        Iterator<InternalRow> rows = relation.get(keys.next());
        if (rows != null) ofKey = relation.keyIsUnique() ? rows : turned(rows);
      }
      return ofKey.hasNext();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) throw new NoSuchElementException("a relation without more rows");
      return ofKey.next();
    }

    private static Iterator<InternalRow> turned(Iterator<InternalRow> rows) {
      ArrayDeque<InternalRow> all = new ArrayDeque<>();
      while (rows.hasNext()) all.push(rows.next().copy());
      return ScalaCollections.asScala(all.iterator());
    }
  }
}
