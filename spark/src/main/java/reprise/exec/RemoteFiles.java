package reprise.exec;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Future;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

import reprise.bridge.FileSource;

/** The files of a scan in Hadoop's file systems, for one task, as its user and with its session's configuration. */
final class RemoteFiles implements FileSource {
  private static final Map<FileSystem, Long> clients = new WeakHashMap<>();
  private static long lastClient;

  private final Configuration conf;
  private final UserGroupInformation user;
  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

  RemoteFiles(Configuration conf) throws IOException {
    this.conf = conf;
    this.user = UserGroupInformation.getCurrentUser();
  }

  @Override
  public RemoteFile open(String location, long tail, int tailBytes, long client, long length, long modified) {
    RemoteFile file = new RemoteFile(this, location);
    file.open(tail, tailBytes, new long[] {client, length, modified});
    return file;
  }

  FileSystem fileSystem(Path path) throws IOException {
    return path.getFileSystem(conf);
  }

  /** A number for the client, above 0: who has the same one has the same rights. */
  static synchronized long numberOf(FileSystem client) {
    return clients.computeIfAbsent(client, one -> ++lastClient);
  }

  /** Runs work on one of the reading threads, as the task would. */
  Future<?> submit(PrivilegedExceptionAction<Void> work, Failure onFailure) {
    return ReadThreads.submit(() -> {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(loader);
      try {
        user.doAs(work);
      } catch (Throwable e) {
        onFailure.told(e);
      } finally {
        thread.setContextClassLoader(before);
      }
    });
  }

  interface Failure {
    void told(Throwable e);
  }
}
