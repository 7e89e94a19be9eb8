package reprise.bridge;

/** Gives a fragment the files of a scan that do not lie on a local file system. */
public interface FileSource {
  /**
   * Starts to open a file, and to read its last bytes unless it is of the version that is known; waits for nothing.
   *
   * @param location the file's URI, as Spark's splits have it
   * @param tail address of where to put the last bytes
   * @param tailBytes how many of them; of a shorter file all
   * @param client known number of the file system's client; 0: nothing is known
   * @param length known length
   * @param modified known time of modification
   */
  StoredFile open(String location, long tail, int tailBytes, long client, long length, long modified);
}
