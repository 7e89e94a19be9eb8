package reprise.bridge;

/** Opens dumps of an operator, so that the core can have it run. */
public interface ReplayedDumps {
  /**
   * Opens the dump of an operator. What an earlier call gave is not used any more.
   *
   * @param folder …/loreId-N
   */
  ReplayedOperator open(String folder);
}
