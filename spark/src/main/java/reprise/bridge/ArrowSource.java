package reprise.bridge;

/** Gives a fragment rows of Arrow's vectors, with batches of another fragment of the same task that stand beside them. */
public interface ArrowSource {
  /**
   * The next rows, which stay where they are until the next call.
   *
   * @return how many, then address and length of each buffer of their columns in the order of Arrow's format: validity,
   *     offsets where values are of various lengths, values; null at the end
   */
  long[] next();

  /**
   * The handle of the next batch that was put aside for these rows, which is the caller's from now on; 0 where there is
   * none.
   */
  long kept();
}
