package reprise.ledger

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8

import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataOutputStream, Path}
import org.apache.hadoop.fs.permission.FsPermission

import reprise.event.EventFiles

/**
 * An application's ledger: `docs/internals/ledger-format.md`.
 * {{{
 *   events       a Spark event log
 *   sums.jsonl   what operators, shuffles and jobs have given, a line a task attempt
 * }}}
 */
private[ledger] final class LedgerFolder(val path: Path, hadoop: Configuration) {
  private val events = open("events")
  private val checksums = open("sums.jsonl")

  private def open(name: String): FSDataOutputStream =
    EventFiles.fileSystem(path, hadoop).create(new Path(path, name), true)

  def event(json: String): Unit = write(events, json)

  def line(json: String): Unit = write(checksums, json)

  private def write(file: FSDataOutputStream, json: String): Unit = {
    file.write(json.getBytes(UTF_8))
    file.write('\n')
  }

  /** What has been written can be read. */
  def flush(): Unit = {
    events.hflush()
    checksums.hflush()
  }

  def close(): Unit = Seq(events, checksums).foreach { file =>
    try file.close()
    catch { case _: IOException => () }
  }
}

private[ledger] object LedgerFolder {
  /** An object of JSON, empty. */
  def node(): ObjectNode = JsonNodeFactory.instance.objectNode()

  private val ownerOnly = new FsPermission("700")

  /** Makes the application's folder below `base`; an IllegalArgumentException where that can't be. */
  def create(base: String, application: String, hadoop: Configuration): LedgerFolder = {
    def refuse(why: String) = throw new IllegalArgumentException(s"spark.reprise.ledger.path: $base: $why")
    try {
      val named = new Path(base, application)
      val files = EventFiles.fileSystem(named, hadoop)
      val folder = files.makeQualified(named)
      if (files.exists(folder)) refuse(s"it holds $application already: name another folder, or remove that one")
      if (!files.mkdirs(folder, ownerOnly)) refuse("cannot make a folder there")
      new LedgerFolder(folder, hadoop)
    } catch { case e: IOException => refuse(e.getMessage) }
  }
}
