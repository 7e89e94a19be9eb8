package reprise.bridge;

import java.io.IOException;

/** A file that is being opened or read, on threads of its own. Its methods are called by one thread. */
public interface StoredFile {
  /**
   * Waits until the file is open and its last bytes are where they were to go.
   *
   * @param version gets the number of the file system's client, the file's length and its time of modification
   * @return false where that takes longer
   */
  boolean awaitOpen(int milliseconds, long[] version) throws IOException;

  /**
   * Starts to read pieces of the file; waits for nothing.
   *
   * @param addresses where the bytes of each go
   * @return the number of the first one; the others have the next ones
   */
  int start(long[] offsets, int[] lengths, long[] addresses);

  /** Waits until a piece has been read. @return false where that takes longer */
  boolean await(int piece, int milliseconds) throws IOException;

  /** Gives up what is being read: afterwards nothing is written to any address. */
  void close();
}
