package reprise

import java.util.{Collections, WeakHashMap}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.reflect.ClassTag

import org.apache.hadoop.fs.Path
import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.access.{LineageAccess, RedirectedRdd}

import reprise.bridge.{CoreErrors, Native, NativeLibrary, UserCallSite}
import reprise.lineage._

/**
 * The RDDs and tasks of an application whose lineage was recorded (`spark.reprise.lineage.path`): to be listed, drawn,
 * made again while their input data is there, and checked by assertions; in the application itself while it runs, or
 * days later in another one. `docs/howto/replay-debugger.md`.
 *
 * {{{
 *   val replayer = new reprise.EventReplayer(sc)
 *   replayer.printRDDs()
 *   replayer.assertForall[Int](replayer.rdds(1)) { _ > 0 }.collect()
 * }}}
 *
 * A shell's closures may take the line along that it stands in: it travels then, but is of use on the driver only.
 *
 * @param path the recording's folder; without it, the one that `sc` itself records to
 */
class EventReplayer(@transient val sc: SparkContext, val path: String) extends ReplayAssertions with Serializable {

  def this(sc: SparkContext) = this(sc, EventReplayer.ownPath(sc))

  private val isLive = Recording.folderOf(sc).exists { own =>
    own == own.getFileSystem(sc.hadoopConfiguration).makeQualified(new Path(path))
  }
  @transient private val reader = {
    if (isLive) LineageAccess.awaitListeners(sc)
    new RecordingReader(path, sc.hadoopConfiguration)
  }
  private val isOwn = reader.applicationId == sc.applicationId
  @transient private val events = new RecordedTasks
  @transient private lazy val loader = ReplayLoader.of(sc, reader)
  @transient private val broadcasts = mutable.HashMap.empty[Long, Broadcast[Any]]
  @transient private val numbers = mutable.HashMap.empty[Int, Int]
  @transient private val attached = mutable.HashMap.empty[Int, Vector[RDD[Any] => RDD[Any]]]
  @transient private val origins = Collections.synchronizedMap(new WeakHashMap[RDD[_], Int])
  @transient private var rebuilder = newRebuilder()
  reader.damage.foreach(d => System.err.println(s"reprise: $d"))

  /** The recorded RDDs, each made again when it is come to. Numbers have gaps: RDDs of no job are not recorded. */
  object rdds extends Iterable[RDD[_]] with Serializable {

    /**
     * Made again: with the assertions that were attached to it and to what it comes from.
     *
     * @throws IllegalArgumentException where no RDD of that number was recorded
     */
    def apply(id: Int): RDD[_] = {
      known(id)
      rebuilder.rdd(id)
    }

    override def iterator: Iterator[RDD[_]] = ids.iterator.map(apply)

    /** In the order in which they were recorded: parents first. */
    def ids: Seq[Int] = {
      refresh()
      reader.rdds.keys.toIndexedSeq
    }

    override def size: Int = ids.size

    override def toString: String = s"$size RDDs of $path"
  }

  /** A line an RDD: `#1: MapPartitionsRDD map at <console>:14`. */
  def printRDDs(): Unit = Console.out.print(rddLines.map(_ + "\n").mkString)

  /** What [[printRDDs]] prints. */
  def rddLines: Seq[String] = {
    refresh()
    reader.rdds.values.toIndexedSeq.sortBy(_.id).map(_.text)
  }

  /** Of each RDD that cannot be made again, why; and where the recording is torn or damaged. */
  def problems: Seq[String] = {
    refresh()
    reader.rdds.values.flatMap(r => r.reason.map(why => s"${r.text}: $why")).toIndexedSeq ++ reader.damage
  }

  /** The tasks that have ended. */
  def tasks: Seq[RecordedTask] = {
    refreshEvents()
    events.tasks.toIndexedSeq.map(task => task.copy(result = reader.results.get(task.id).map(_.text)))
  }

  /**
   * What a task of a job's last stage gave to the driver: of `collect` an array of its partition's records. With
   * `spark.reprise.lineage.results` as the application was recorded.
   *
   * @throws IllegalArgumentException where it is not recorded
   */
  def result(task: RecordedTask): Any = {
    refresh()
    val recorded = reader.results.getOrElse(
      task.id,
      throw new IllegalArgumentException(
        s"$path: there is no result of task ${task.id} in the recording: those of successful tasks of jobs' last stages " +
          "are recorded with spark.reprise.lineage.results=true"))
    rebuilder.result(recorded)
  }

  /** Those that computed partitions of the RDD. */
  def tasksForRDD(id: Int): Seq[RecordedTask] = {
    known(id)
    tasks.filter(task => events.rddsOfStage.get(task.stage).exists(_.contains(id)))
  }

  /**
   * Draws the RDDs, the stages and the shuffles.
   *
   * @param format "svg", "png", "pdf", or another that Graphviz draws here; "dot", its language, needs no Graphviz
   * @return the file's name
   */
  def visualizeRDDs(format: String, file: String): String = {
    refreshEvents()
    NativeLibrary.ensureLoaded()
    CoreErrors.translated(Native.drawLineage(reader.localEvents().getPath, format, file))
    file
  }

  /**
   * Computes an RDD and all that it comes from several times, each by jobs of its own, and says which are not the same
   * each time: parents first, those whose own transformation makes the difference marked as such. What a shuffle has
   * written is not computed again, nor what is cached.
   */
  def findNondeterminism(rdd: RDD[_], runs: Int = 2): Seq[NondeterministicRdd] = Nondeterminism.find(rdd, runs)

  /**
   * Starts a JVM that waits for a debugger, makes again what the task needs, and runs that task alone in its main
   * thread. Prints how to attach.
   */
  def debugTask(stage: Int, partition: Int): DebugJvm = {
    refresh()
    DebugTask.find(reader, stage, partition)
    DebugJvm.start(path, stage, partition)
  }

  /** The same of a task that failed; says also where to stop. */
  def debugException(task: RecordedTask): DebugJvm = {
    val thrown = task.exception.getOrElse(
      throw new IllegalArgumentException(
        s"task ${task.id} has not failed with an exception: ${task.reason.getOrElse("success")}; " +
          s"to run it under a debugger all the same: debugTask(${task.stage}, ${task.partition})"))
    val jvm = debugTask(task.stage, task.partition)
    println(s"It failed with ${task.reason.get}\nTo stop where that is thrown: catch $thrown")
    jvm
  }

  /**
   * A new RDD of the same records, with the user's code before and after each partition is computed. On a rebuilt RDD it
   * stands, as an assertion does, in everything that `rdds` has made of it and makes from then on.
   */
  def withHooks[T: ClassTag](rdd: RDD[_])(hooks: ComputeHooks[T]): RDD[T] =
    attach[T](rdd)(below => new HookedRdd(below, hooks, subjectOf(below)))

  /** Takes assertions and hooks off again, from the RDDs that were made before too. */
  def clearAssertions(): Unit = synchronized {
    val changed = attached.keySet.toSet
    attached.clear()
    makeAgain(changed)
  }

  override def toString: String =
    s"EventReplayer(${reader.header.path("application").asText} ${reader.applicationId}, $path)"

  override protected def attach[T: ClassTag](rdd: RDD[_])(surround: RDD[T] => RDD[T]): RDD[T] = synchronized {
    Option(origins.get(rdd)) match {
      case None => UserCallSite(sc)(surround(rdd.asInstanceOf[RDD[T]]))
      case Some(id) =>
        attached(id) = attached.getOrElse(id, Vector.empty) :+ surround.asInstanceOf[RDD[Any] => RDD[Any]]
        makeAgain(Set(id))
        rebuilder.rdd(id).asInstanceOf[RDD[T]]
    }
  }

  /**
   * What stands on these RDDs is another now. So all that is computed of them is made again, over new shuffles, since
   * what the old ones have written is not checked; and who has an RDD that was made before computes the new one.
   */
  private def makeAgain(changed: Set[Int]): Unit = {
    rebuilder = newRebuilder()
    val affected = reader.rdds.values.foldLeft(changed) { (found, recorded) =>
      if (recorded.parents.exists(parent => found(parent.rdd))) found + recorded.id else found
    }
    val before = origins.synchronized(origins.asScala.toIndexedSeq.filter { case (_, id) => affected(id) })
    before.foreach { case (rdd, id) =>
      RedirectedRdd.redirect(rdd.asInstanceOf[RDD[Any]], rebuilder.rdd(id).asInstanceOf[RDD[Any]])
    }
  }

  override protected def subjectOf(rdd: RDD[_]): Subject = rdd match {
    case surrounded: SurroundedRdd[_] => surrounded.subject
    case _ => Subject("RDD", LineageAccess.typeName(rdd), Some(Option(origins.get(rdd)).getOrElse(rdd.id)))
  }

  private def newRebuilder(): Rebuilder = new Rebuilder(sc, reader, () => loader, broadcasts, numberOf, around)

  private def around(id: Int, rdd: RDD[_]): RDD[_] = {
    origins.put(rdd, id)
    attached.getOrElse(id, Vector.empty).foldLeft(rdd.asInstanceOf[RDD[Any]]) { (below, surround) =>
      val next = UserCallSite(sc)(surround(below))
      origins.put(next, id)
      next
    }
  }

  /** In the application itself as recorded; in another one too, unless it has made an RDD of that number. */
  private def numberOf(id: Int): Int =
    if (isOwn) id
    else numbers.getOrElseUpdate(id, {
      if (RddNumbers.isFree(sc, id)) id else LineageAccess.nextRddId(sc)
    })

  /** No RDD that the application makes from now on gets the number of one that has been made again. */
  private def reserveNumbers(): Unit = if (!isOwn) {
    reader.rdds.keys.foreach(numberOf)
    numbers.values.reduceOption(_ max _).foreach(RddNumbers.reserve(sc, _))
  }

  private def refresh(): Unit = synchronized {
    if (isLive) LineageAccess.awaitListeners(sc)
    reader.refresh()
    reserveNumbers()
  }

  private def refreshEvents(): Unit = synchronized {
    refresh()
    if (isLive) Recording.of(sc).foreach(_.flushEvents())
    events.refresh(reader.localEvents())
  }

  private def known(id: Int): Unit = {
    refresh()
    if (!reader.rdds.contains(id)) {
      val ids = reader.rdds.keys.toIndexedSeq
      val there = if (ids.isEmpty) "it holds none" else s"it holds ${ids.size} of ${ids.min} to ${ids.max}: rdds.ids"
      throw new IllegalArgumentException(s"$path: there is no RDD $id in the recording; $there" +
        reader.damage.fold("")(d => s" ($d)"))
    }
  }
}

private object EventReplayer {
  def ownPath(sc: SparkContext): String = Recording.folderOf(sc).map(_.toString).getOrElse {
    throw new IllegalArgumentException(
      "this application records no lineage: set spark.plugins=reprise.ReprisePlugin and spark.reprise.lineage.path, " +
        "or name a recording: new EventReplayer(sc, path)")
  }
}
