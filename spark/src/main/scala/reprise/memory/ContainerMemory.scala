package reprise.memory

import org.apache.spark.SparkConf

/** What is said at start of memory that the container of an executor may lack. */
private[reprise] object ContainerMemory {

  /**
   * Where Spark has no memory off the heap, what native operators hold counts as memory on it, but lies beside it. A
   * container has room beside the heap for `spark.executor.memoryOverhead`, by default a tenth of the heap; the
   * operators may hold most of what the heap has for execution.
   */
  def advice(conf: SparkConf): Option[String] = {
    val master = conf.get("spark.master", "")
    val isContained = master == "yarn" || master.startsWith("k8s://")
    val isSaid = Seq("memoryOverhead", "memoryOverheadFactor").exists(name => conf.contains(s"spark.executor.$name"))
    if (!isContained || isSaid || conf.getBoolean("spark.memory.offHeap.enabled", defaultValue = false)) None
    else Some(
      "Executors have no memory off the heap: what native operators hold lies beside the heap, where their containers have " +
        "little room. Set spark.memory.offHeap.enabled=true and spark.memory.offHeap.size, which containers are enlarged " +
        "by, or spark.executor.memoryOverhead")
  }
}
