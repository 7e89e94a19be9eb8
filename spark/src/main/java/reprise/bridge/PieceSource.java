package reprise.bridge;

/** Rows of parts of a task's files, read by Spark's own reader: those of the part that was begun last. */
public interface PieceSource extends RowSource {
  /**
   * Begins with a part.
   *
   * @param file number of the file in the task
   * @param start its first byte
   * @param length its bytes
   */
  void read(int file, long start, long length);
}
