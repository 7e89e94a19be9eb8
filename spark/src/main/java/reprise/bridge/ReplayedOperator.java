package reprise.bridge;

/** An operator that the core replays although it can't run it: whoever implements this runs it. */
public interface ReplayedOperator {
  /**
   * Runs the operator over one partition of what was recorded. What an earlier call gave is not read any more.
   *
   * @param attempt the attempt whose record to replay; below 0: the committed one
   * @return the rows of its output, in order. The message of a Throwable out of this method or out of the rows is what
   *     the operator raised.
   */
  RowSource open(int partition, long attempt);

  /** What such a Throwable tells, as a record says it: {@link RaisedError}. */
  String told(Throwable error);
}
