package reprise.event

import java.io.IOException

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, LocalFileSystem, Path}

/** Where folders are kept that an application's events are written to while it runs. */
private[reprise] object EventFiles {

  /** The file system of a path; the local one without files of checksums beside, which could not be flushed. */
  @throws[IOException]
  def fileSystem(path: Path, conf: Configuration): FileSystem = path.getFileSystem(conf) match {
    case local: LocalFileSystem => local.getRawFileSystem
    case other => other
  }
}
