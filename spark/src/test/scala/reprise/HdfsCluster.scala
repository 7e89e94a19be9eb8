package reprise

import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster

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

  protected def read(file: String): String = {
    val in = files.open(new Path(file))
    try new String(in.readAllBytes(), "UTF-8")
    finally in.close()
  }
}
