package reprise.scan

import org.apache.hadoop.fs.{FSDataInputStream, Path}

/** Streams that read one range at a time: the Hadoop that this version of Spark comes with has no others. */
private[scan] object FaultyStreams {
  def of(file: Path, in: FSDataInputStream): FaultyStream = new FaultyStream(file, in)
}
