package reprise.bridge

import java.io.File
import java.nio.file.Files

import org.apache.hadoop.fs.Path

import reprise.{HdfsCluster, ReprisePlugin}

/** Dumps into a name node and data node that run beside the test. */
class HdfsDumpSuite extends HdfsCluster {

  override protected def settings: Map[String, String] =
    Map(
      "spark.plugins" -> classOf[ReprisePlugin].getName,
      "spark.reprise.lore.idsToDump" -> "Filter#0[*]",
      "spark.reprise.lore.perQuery" -> "false")

  private def run(path: String): Long =
    withSetting("spark.reprise.lore.dumpPath", path) {
      spark.range(0, 1000, 1, 3).where("id % 7 = 3").collect().length
    }

  private def names(folder: String): Seq[String] =
    files.listStatus(new Path(folder)).map(_.getPath.getName).toSeq.sorted

  private def operator(dump: String): String = s"$dump/${names(dump).head}"

  nativeTest("a dump in HDFS is brought home and replayed") {
    val dump = s"${files.getUri}/dumps/one"
    assert(run(dump) == 143)
    val folder = operator(dump)
    assert(names(folder) == Seq("input-0", "output", "plan.meta"))
    assert(names(s"$folder/input-0") == Seq("partition-0", "partition-1", "partition-2", "rdd.meta"))
    val home = Files.createTempDirectory("reprise-home").resolve("dump")
    files.copyToLocalFile(new Path(dump), new Path(home.toUri))
    val (status, said) = replay(new File(home.toFile, names(dump).head).getPath)
    assert(status == 0, said)
    assert(said.contains("As recorded."))
  }

  nativeTest("a folder that holds something is refused") {
    val dump = s"${files.getUri}/dumps/two"
    files.create(new Path(s"$dump/notes.txt")).close()
    val error = intercept[IllegalArgumentException](run(dump))
    assert(error.getMessage.contains(s"dump path $dump must be empty or absent, but holds notes.txt"))
    assert(names(dump) == Seq("notes.txt"))
  }

  nativeTest("a partition is committed by one attempt") {
    val dump = s"${files.getUri}/dumps/three"
    assert(run(dump) == 143)
    val input = s"${operator(dump)}/input-0"
    files.mkdirs(new Path(s"$input/partition-9.attempt-1"))
    assert(HadoopFiles.renameFolder(s"$input/partition-9.attempt-1", s"$input/partition-9"))
    files.mkdirs(new Path(s"$input/partition-9.attempt-2"))
    assert(!HadoopFiles.renameFolder(s"$input/partition-9.attempt-2", s"$input/partition-9"))
    assert(names(s"$input/partition-9").isEmpty)
    assert(names(input).contains("partition-9.attempt-2"))
  }

  nativeTest("what cannot be written fails the query and names the path") {
    val dump = s"${files.getUri}/dumps/four"
    cluster.getNameNode.getRpcServer.setSafeMode(
      org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction.SAFEMODE_ENTER,
      false)
    val error =
      try intercept[Exception](run(dump))
      finally cluster.getNameNode.getRpcServer.setSafeMode(
        org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction.SAFEMODE_LEAVE,
        false)
    assert(error.getMessage.contains(s"$dump"))
    assert(error.getMessage.contains("safe mode"))
    assert(!error.getMessage.contains("\n\tat "))
    assert(run(dump) == 143)
  }

  nativeTest("a scheme without a file system is refused") {
    val error = intercept[IllegalArgumentException](run("nowhere://host/dump"))
    assert(error.getMessage.contains("""No FileSystem for scheme "nowhere""""))
  }
}
