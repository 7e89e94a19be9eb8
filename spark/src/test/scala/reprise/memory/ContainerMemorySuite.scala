package reprise.memory

import org.apache.spark.SparkConf
import org.scalatest.funsuite.AnyFunSuite

class ContainerMemorySuite extends AnyFunSuite {

  private def advice(master: String, settings: (String, String)*): String =
    ContainerMemory.advice(new SparkConf(false).setMaster(master).setAll(settings)).getOrElse("")

  test("executors in containers without memory off the heap") {
    for (master <- Seq("yarn", "k8s://https://10.0.0.1:6443")) {
      assert(advice(master).contains("Set spark.memory.offHeap.enabled=true and spark.memory.offHeap.size"))
      assert(advice(master, "spark.memory.offHeap.enabled" -> "false").nonEmpty)
    }
  }

  test("executors that have it, are given room, or stand in no container") {
    assert(advice("yarn", "spark.memory.offHeap.enabled" -> "true", "spark.memory.offHeap.size" -> "1g") == "")
    assert(advice("yarn", "spark.executor.memoryOverhead" -> "2g") == "")
    assert(advice("yarn", "spark.executor.memoryOverheadFactor" -> "0.8") == "")
    assert(advice("local[2]") == "")
    assert(advice("spark://host:7077") == "")
  }
}
