package reprise.bridge;

/** Rows of a Spark RDD for a leaf of a fragment. Called on the thread that calls {@link Native#next}. */
public interface RowSource {
  /** What {@link #fill} returns before the call that throws, so that the rows before leave first. */
  int FAILS_NEXT = Integer.MIN_VALUE;

  /**
   * Copies UnsafeRows one after the other, each of a multiple of 8 bytes. A row that does not fit is kept for the next
   * call.
   *
   * @param rows address to copy to
   * @param capacity bytes there
   * @param lengths address of an array of int32 that receives the bytes of each row
   * @param maxRows the most rows to copy, at least 1
   * @return how many rows were copied; 0 where there are no more; {@code -needed} where not even the first row fits,
   *     which needs {@code needed} bytes; {@link #FAILS_NEXT} where the next call throws what the next row has thrown
   */
  int fill(long rows, long capacity, long lengths, int maxRows);
}
