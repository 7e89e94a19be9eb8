package reprise.bridge;

/**
 * Columns of a Spark RDD for a leaf of a fragment. Called on the thread that calls {@link Native#next}. What is thrown
 * is kept until {@link #raise}, so that rows before leave first.
 */
public interface ColumnSource {
  /** What {@link #next} returns at the end. */
  long END = -1;

  /** What the other methods return where something was thrown. */
  long FAILED = Long.MIN_VALUE;

  /**
   * Goes on to the next batch.
   *
   * @return how many rows it has, {@link #END}, or {@link #FAILED}
   */
  long next();

  /**
   * Copies values of a column as numbers of {@code width} bytes each; a boolean is one byte.
   *
   * @param values address to copy to
   * @param nulls address of a byte for each row, 1 for a null; written only where there are nulls
   * @return how many are null, or {@link #FAILED}
   */
  long copyFixed(int column, int first, int count, int width, long values, long nulls);

  /**
   * Copies the bytes of values of a column one behind the other: of strings, of decimals of more than 18 digits as
   * {@code BigInteger.toByteArray} gives them, of other values as a row keeps them.
   *
   * @param values address to copy to
   * @param capacity bytes there
   * @param lengths address of an int32 for each row: its bytes, -1 for a null
   * @return how many were copied, fewer than {@code count} where the next does not fit; {@code -needed} where not even
   *     the first does, which needs {@code needed} bytes; or {@link #FAILED}
   */
  long copyBytes(int column, int first, int count, long values, long capacity, long lengths);

  /** Throws what was thrown during the last call that has returned {@link #FAILED}. */
  void raise();
}
