package reprise.access;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/** A folder of ours in one of the directories that Spark has for its own files; and how to reach others. */
public final class LocalFolder {
  private LocalFolder() {}

  public static File make(String prefix) throws IOException {
    String[] directories = SparkEnv.get().blockManager().diskBlockManager().localDirsString();
    return Files.createTempDirectory(Path.of(directories[0]), prefix).toFile();
  }

  /** The settings of file systems in this process. */
  public static Configuration fileSystems() {
    return SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf());
  }

  /** Deletes it with all that is in it; what is gone already is no error. */
  public static void delete(File folder) {
    if (!folder.exists()) return;
    try (Stream<Path> paths = Files.walk(folder.toPath())) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) Files.deleteIfExists(path);
    } catch (IOException | java.io.UncheckedIOException e) {
      // Spark deletes its directories itself at the end.
      folder.deleteOnExit();
    }
  }
}
