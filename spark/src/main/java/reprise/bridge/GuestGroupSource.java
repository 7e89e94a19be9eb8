package reprise.bridge;

/**
 * An aggregate function that Spark evaluates for an operator of a fragment, and its buffers for groups 0, 1, …, each of
 * which starts as Spark's initial buffer. {@link #fill} gives what was asked for by {@link #begin}, a row a group.
 */
public interface GuestGroupSource extends RowSource {
  /** Forgets all groups. */
  void clear();

  /**
   * Adds rows of the function's input, as UnsafeRows.
   *
   * @param rows address of the rows, one after the other
   * @param offsets address of an array of int32: row {@code i} is from {@code offsets[i]} to {@code offsets[i + 1]}
   * @param groups address of an array of int32, the group of each row; 0: all are of group 0
   * @param count how many rows there are
   */
  void update(long rows, long offsets, long groups, int count);

  /** The same of rows of buffers. */
  void merge(long rows, long offsets, long groups, int count);

  /** Asks for the results, or the buffers, of groups {@code from} to {@code until - 1}. */
  void begin(int from, int until, boolean results);
}
