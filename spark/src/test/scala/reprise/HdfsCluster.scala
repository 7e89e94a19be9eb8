package reprise

import java.nio.file.{Files, Paths}

import scala.sys.process.{Process, ProcessLogger}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster

import reprise.bridge.NativeLibrary

/** A suite beside which a name node and a data node run. */
abstract class HdfsCluster extends SparkSuite {
  protected lazy val cluster: MiniDFSCluster = {
    val conf = new Configuration(false)
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, Files.createTempDirectory("reprise-hdfs").toString)
    new MiniDFSCluster.Builder(conf).numDataNodes(1).build()
  }

  protected lazy val files: FileSystem = cluster.getFileSystem

  override def afterAll(): Unit = {
    super.afterAll()
    if (hasCore) cluster.shutdown()
  }

  /** The exit status of `reprise replay` of a local dump, and what it says. */
  protected def replay(dump: String): (Int, String) = {
    val program = Paths.get(sys.props(NativeLibrary.pathProperty)).getParent.resolve("bin/reprise").toString
    val said = new StringBuilder
    val status = Process(Seq(program, "replay", dump)).!(ProcessLogger(line => said.append(line).append('\n')))
    (status, said.toString)
  }

  protected def read(file: String): String = {
    val in = files.open(new Path(file))
    try new String(in.readAllBytes(), "UTF-8")
    finally in.close()
  }
}
