package org.apache.spark.sql.execution.access

import java.io.{File, FileOutputStream, OutputStream}
import java.net.URL
import java.util.Properties

import scala.reflect.internal.util.ScalaClassLoader
import scala.util.Using

import org.apache.spark.{ShuffleDependency, SparkContext, SparkEnv, TaskContext, TaskContextImpl}
import org.apache.spark.api.python.{PythonAccumulatorV2, PythonBroadcast, PythonFunction}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.executor.TaskMetrics
import org.apache.spark.memory.TaskMemoryManager
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListenerEvent, SparkListenerInterface, StageInfo}
import org.apache.spark.util.{AccumulatorV2, CallSite, JsonProtocol, MutableURLClassLoader, Utils}

/** What the replay debugger needs and Spark keeps to itself. */
object LineageAccess {
  def callSite(rdd: RDD[_]): CallSite = rdd.creationSite

  def callSite(short: String, long: String): CallSite = CallSite(short, long)

  /** The class of an RDD as Spark names it. */
  def typeName(rdd: RDD[_]): String = Utils.getFormattedClassName(rdd)

  def elementClass(rdd: RDD[_]): Class[_] = rdd.elementClassTag.runtimeClass

  /** A listener in a queue apart from Spark's, so that slow listeners don't make it lose events, nor it them. */
  def addListener(context: SparkContext, listener: SparkListenerInterface, queue: String = "reprise-lineage"): Unit =
    context.listenerBus.addToQueue(listener, queue)

  /** Waits until listeners have seen all events that have been posted. */
  def awaitListeners(context: SparkContext): Unit = context.listenerBus.waitUntilEmpty(30000)

  /** As Spark's event log holds it. */
  def json(event: SparkListenerEvent): String = JsonProtocol.sparkEventToJsonString(event)

  /** A closure without what it does not need. */
  def clean[F <: AnyRef](context: SparkContext, closure: F): F = context.clean(closure)

  def nextRddId(context: SparkContext): Int = context.newRddId()

  /** Gives an accumulator that came out of a stream a life of its own on this driver. */
  def adopt(context: SparkContext, accumulator: AccumulatorV2[_, _]): Unit = {
    accumulator.metadata = null
    context.register(accumulator)
  }

  /** What Python's workers add to: it sends that to a server of its own application's. */
  def isPythonAccumulator(accumulator: AccumulatorV2[_, _]): Boolean = accumulator.isInstanceOf[PythonAccumulatorV2]

  def isDestroyed(broadcast: Broadcast[_]): Boolean = !broadcast.isValid

  /** One that was only marked would be checkpointed by the next job. */
  def unmarkCheckpoint(rdd: RDD[_]): Unit =
    if (!rdd.checkpointData.exists(_.isCheckpointed)) rdd.checkpointData = None

  /** The environment variables of the workers that run the function, if it is one of Python's. */
  def pythonVariables(function: AnyRef): Option[java.util.Map[String, String]] = function match {
    case python: PythonFunction => Some(python.envVars)
    case _ => None
  }

  def isPythons(broadcast: AnyRef): Boolean = broadcast.isInstanceOf[PythonBroadcast]

  val pythonsClass: String = classOf[PythonBroadcast].getName

  /** One of Python's over a file that is nobody else's. */
  def newPythons(write: OutputStream => Unit): AnyRef = {
    val file = File.createTempFile("reprise-broadcast", "", new File(Utils.getLocalDir(SparkEnv.get.conf)))
    Using.resource(new FileOutputStream(file))(write)
    new PythonBroadcast(file.getPath)
  }

  /** Whether classes can be added to the loader: Spark's own, or that of a shell. */
  def addJar(loader: ClassLoader, jar: URL): Boolean = loader match {
    case mutable: MutableURLClassLoader => mutable.addURL(jar); true
    case shell: ScalaClassLoader.URLClassLoader => shell.addURL(jar); true
    case _ => false
  }

  /** The shuffle that a stage writes. */
  def shuffleOf(stage: StageInfo): Option[Int] = stage.shuffleDepId

  /** Computes the output of a shuffle, by as many tasks as it needs, and waits. */
  def runMapStage(context: SparkContext, shuffle: ShuffleDependency[_, _, _]): Unit =
    if (shuffle.rdd.getNumPartitions > 0) {
      context.submitMapStage(shuffle.asInstanceOf[ShuffleDependency[Any, Any, Any]]).get()
    }

  /** Runs `body` as the one task of a stage, on this thread. */
  def asTask[T](stage: Int, partition: Int, partitions: Int, properties: Properties)(body: TaskContext => T): T = {
    val env = SparkEnv.get
    val id = Long.MaxValue - partition
    val memory = new TaskMemoryManager(env.memoryManager, id)
    val metrics = TaskMetrics.empty
    val context = new TaskContextImpl(
      stage, 0, partition, id, 0, partitions, memory, properties, env.metricsSystem, metrics, 1, Map.empty)
    env.blockManager.registerTask(id)
    TaskContext.setTaskContext(context)
    try {
      try {
        val result = body(context)
        context.markTaskCompleted(None)
        result
      } catch {
        case failure: Throwable =>
          context.markTaskFailed(failure)
          context.markTaskCompleted(Some(failure))
          throw failure
      }
    } finally {
      env.blockManager.releaseAllLocksForTask(id)
      memory.cleanUpAllAllocatedMemory()
      TaskContext.unset()
    }
  }

  /** What a shuffle map task does with its rows. */
  def writeShuffle(rows: Iterator[_], shuffle: ShuffleDependency[_, _, _], partition: Int, task: TaskContext): Unit =
    ShuffleWrites.write(rows, shuffle, partition, task)
}
