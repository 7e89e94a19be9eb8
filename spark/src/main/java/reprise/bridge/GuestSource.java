package reprise.bridge;

/**
 * Expressions that Spark evaluates for an operator of a fragment. {@link #fill} gives the results of row after row of
 * what was begun last, none after a row of which a guest could not be evaluated, whose result is null; the next call
 * goes on behind it.
 */
public interface GuestSource extends RowSource {
  /**
   * Rows to evaluate, as UnsafeRows. They stay where they are until the results of all have been taken.
   *
   * @param rows address of the rows, one after the other
   * @param offsets address of an array of int32: row {@code i} is from {@code offsets[i]} to {@code offsets[i + 1]}
   * @param count how many rows there are
   */
  void begin(long rows, long offsets, int count);

  /**
   * What each guest has thrown for the row that {@link #fill} gave last, null for those that have not; null where none
   * has.
   */
  Throwable[] failures();
}
