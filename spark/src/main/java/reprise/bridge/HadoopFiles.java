package reprise.bridge;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.spark.deploy.SparkHadoopUtil;

/** What the core needs of Hadoop's file systems to write a dump. Called by the core alone. */
final class HadoopFiles {
  static final int ABSENT = 0;
  static final int FOLDER = 1;
  static final int FILE = 2;
  private static final int COPY_BYTES = 1 << 16;

  private HadoopFiles() {}

  /** Fails where there is no file system for the path's scheme. */
  static void open(String path) throws IOException {
    fileSystem(new Path(path));
  }

  static int look(String path) throws IOException {
    Path at = new Path(path);
    try {
      return fileSystem(at).getFileStatus(at).isDirectory() ? FOLDER : FILE;
    } catch (FileNotFoundException absent) {
      return ABSENT;
    }
  }

  static String[] list(String folder) throws IOException {
    Path at = new Path(folder);
    FileStatus[] found = fileSystem(at).listStatus(at);
    return Arrays.stream(found).map(status -> status.getPath().getName()).toArray(String[]::new);
  }

  static void createFolders(String folder) throws IOException {
    Path at = new Path(folder);
    if (!fileSystem(at).mkdirs(at)) throw new IOException("the file system refused");
  }

  static byte[] read(String file) throws IOException {
    Path at = new Path(file);
    try (var in = fileSystem(at).open(at)) {
      return in.readAllBytes();
    }
  }

  /** A new file, which must not exist yet. */
  static OutputStream create(String file) throws IOException {
    Path at = new Path(file);
    return fileSystem(at).create(at, /* overwrite= */ false);
  }

  /** @param flushes whether others must be able to read it now, as far as the file system can do that */
  static void append(OutputStream file, ByteBuffer bytes, boolean flushes) throws IOException {
    byte[] part = new byte[Math.min(bytes.remaining(), COPY_BYTES)];
    while (bytes.hasRemaining()) {
      int length = Math.min(bytes.remaining(), part.length);
      bytes.get(part, 0, length);
      file.write(part, 0, length);
    }
    if (flushes && file instanceof FSDataOutputStream) ((FSDataOutputStream) file).hflush();
  }

  static void close(OutputStream file) throws IOException {
    file.close();
  }

  /** True when the folder has its new name, false where that is taken. */
  static boolean renameFolder(String from, String to) throws IOException {
    Path source = new Path(from);
    Path target = new Path(to);
    try {
      FileContext.getFileContext(source.toUri(), conf()).rename(source, target);
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    } catch (UnsupportedFileSystemException onlyTheOlderInterface) {
      return renameByFileSystem(fileSystem(source), source, target);
    }
  }

  /** Its rename moves a folder into one that exists, instead of failing. */
  private static boolean renameByFileSystem(FileSystem files, Path source, Path target) throws IOException {
    if (files.exists(target)) return false;
    if (!files.rename(source, target)) {
      if (files.exists(target)) return false;
      throw new IOException("the file system refused");
    }
    Path within = new Path(target, source.getName());
    if (!files.exists(within)) return true;
    files.delete(within, /* recursive= */ true);
    return false;
  }

  static void removeFolder(String folder) throws IOException {
    Path at = new Path(folder);
    fileSystem(at).delete(at, /* recursive= */ true);
  }

  private static FileSystem fileSystem(Path path) throws IOException {
    return path.getFileSystem(conf());
  }

  /** Spark's, with what the application has set under spark.hadoop. */
  private static Configuration conf() {
    return SparkHadoopUtil.get().conf();
  }
}
