package reprise.bridge;

/**
 * The batches that a cached table consists of, for a leaf of a fragment. Called on the thread that calls
 * {@link Native#next}. What is thrown is kept, as of a {@link ColumnSource}.
 */
public interface CacheSource {
  /**
   * Goes on to the next batch.
   *
   * @return how many rows it has, {@link ColumnSource#END}, or {@link ColumnSource#FAILED}
   */
  long next();

  /** The bytes of a column of the batch, as Spark's cache keeps them. */
  byte[] column(int column);

  /** Throws what {@link #next} has kept. */
  void raise();
}
