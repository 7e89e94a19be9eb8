package reprise.replay

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.{DynamicPruningExpression, Expression, InSet, Literal, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Range}
import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.connector.read.Scan
import org.apache.spark.sql.connector.write.Write
import org.apache.spark.sql.execution.{ExecSubqueryExpression, ExternalRDDScanExec, FileSourceScanExec, InSubqueryExec, LocalTableScanExec, RDDScanExec, RowDataSourceScanExec, ScalarSubquery}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, AQEShuffleReadExec, QueryStageExec}
import org.apache.spark.sql.execution.aggregate.MergingSessionsExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.command.{DataWritingCommandExec, ExecutedCommandExec}
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanExecBase
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.sources.BaseRelation
import org.apache.spark.sql.types.StructType

import reprise.access.{PortableInternals, ScanInternals, SparkTypes}

/** The classes that are written in another way than by the arguments of their constructors. */
private[replay] object PortableForms {

  /** Larger collections are data, not a plan. */
  val elementsMax: Int = 1 << 16

  /** Why an object has no portable form; written for the user. */
  def refusalOf(ref: AnyRef): Option[String] = Option(ref match {
    case _: RDDScanExec | _: ExternalRDDScanExec[_] => "it reads an RDD, which lives in its application alone"
    case _: RowDataSourceScanExec => "it reads a data source that has no files"
    case _: InMemoryTableScanExec => "it reads a cached table, which lives in its application alone"
    case _: DataSourceV2ScanExecBase => "it reads through a connector of version 2"
    case _: AQEShuffleReadExec | _: QueryStageExec | _: ReusedExchangeExec | _: AdaptiveSparkPlanExec =>
      "it stands for a stage of its query"
    // Its functions name the columns of its input by numbers that each of them makes for itself.
    case _: MergingSessionsExec => "it merges sessions by functions that only their own plan knows"
    case _: ExecutedCommandExec => "it is a command that runs on the driver"
    case write: DataWritingCommandExec if !isCommand(write.cmd) =>
      s"it writes by ${write.cmd.getClass.getName}, into more than files"
    case _: RDD[_] => "an RDD, which lives in its application alone"
    case _: Broadcast[_] => "a broadcast variable, which lives in its application alone"
    case function if PortableInternals.usesBroadcasts(function) =>
      "a Python function that uses broadcast variables, which live in their application alone"
    case _: ExecSubqueryExpression => "a subquery that has not run"
    case _: SQLMetric | _: org.apache.spark.SparkContext => s"a ${ref.getClass.getName}"
    case _: Scan | _: Table | _: Write => s"the connector ${ref.getClass.getName}"
    case _: HadoopFsRelation => null
    case _: BaseRelation => s"the data source ${ref.getClass.getName}"
    case _ => null
  })

  /** The only command that is written: it writes files and nothing else. */
  def isCommand(plan: LogicalPlan): Boolean = plan.isInstanceOf[InsertIntoHadoopFsRelationCommand]

  /** Logical plans that an operator needs; of all others only the columns are written. */
  def isNeeded(plan: LogicalPlan): Boolean = isCommand(plan) || plan.isInstanceOf[Range]

  /** Subqueries that have run are what they gave. */
  val valueOf: PartialFunction[AnyRef, Expression] = {
    case s: ScalarSubquery => literalOf(s)
    case s: InSubqueryExec if s.values().nonEmpty => InSet(s.child, s.values().get.toSet)
    // It only leaves out what a join would drop; what it let pass is listed beside it.
    case DynamicPruningExpression(s: InSubqueryExec) if s.values().isEmpty => Literal.TrueLiteral
  }

  private def literalOf(subquery: ScalarSubquery): Literal =
    try Literal.create(subquery.eval(null), subquery.dataType)
    catch { case e: IllegalArgumentException => throw new NotPortable("a subquery that has not run", e) }

  /** Written by Java's own serialization. */
  def isJavaObject(ref: AnyRef): Boolean = ref match {
    case _: scala.collection.Iterable[_] | _: Expression => false
    case _: AgnosticEncoder[_] | _: ExpressionEncoder[_] => true
    case _: Function0[_] | _: Function1[_, _] | _: Function2[_, _, _] => !ref.isInstanceOf[Product]
    case _ => ref.getClass.isSynthetic && ref.isInstanceOf[java.io.Serializable]
  }

  def hasNoArguments(ref: AnyRef): Boolean = ref match {
    case _: FileFormat => ref.getClass.getConstructors.exists(_.getParameterCount == 0)
    case _ => false
  }

  /** The arguments of the constructor, where they are not the fields of their names, or not all of them travel. */
  val special: PartialFunction[AnyRef, Seq[(String, Any)]] = {
    case scan: FileSourceScanExec =>
      replaced(scan, "relation" -> RecordedFiles.of(scan))
    case function if PortableInternals.isPythonFunction(function) =>
      replaced(function, "accumulator" -> null)
    case local: LocalTableScanExec => replaced(local, "rows" -> asUnsafe(local.rows, local.schema))
    // What it does beside writing files concerns the catalog and the cache of its application.
    case c: InsertIntoHadoopFsRelationCommand => replaced(c, "catalogTable" -> None, "fileIndex" -> None)
  }

  private def replaced(ref: AnyRef, by: (String, Any)*): Seq[(String, Any)] = {
    val values = by.toMap
    Constructed.arguments(ref).map { case (name, value) => name -> values.getOrElse(name, value) }
  }

  private def asUnsafe(rows: Seq[InternalRow], schema: StructType): Seq[InternalRow] = {
    val projection = UnsafeProjection.create(schema)
    rows.map(row => projection(row).copy())
  }

  /** What makes an object of arguments, of the classes that their constructors do not make. */
  def remade(name: String, session: SparkSession): Option[Map[String, Any] => AnyRef] =
    if (name == classOf[RecordedFiles].getName) {
      Some(arguments => Constructed.make(classOf[RecordedFiles], arguments).asInstanceOf[RecordedFiles].relation(session))
    } else {
      None
    }
}

/** A file of a scan as the capture saw it. */
final case class RecordedFile(path: String, length: Long, modified: Long, metadata: Map[String, Any])

/** A directory that a scan reads: the values of its partition's columns, and its files. */
final case class RecordedDirectory(values: InternalRow, files: Seq[RecordedFile])

/** The files of a scan, those that its filters on partitions have left, and how they are read. */
final case class RecordedFiles(
    rootPaths: Seq[String],
    directories: Seq[RecordedDirectory],
    partitionSchema: StructType,
    dataSchema: StructType,
    bucketSpec: Option[org.apache.spark.sql.catalyst.catalog.BucketSpec],
    fileFormat: FileFormat,
    options: Map[String, String]) {

  def relation(session: SparkSession): HadoopFsRelation = HadoopFsRelation(
    new RecordedFileIndex(rootPaths, directories, partitionSchema),
    partitionSchema,
    dataSchema,
    bucketSpec,
    fileFormat,
    options)(session.asInstanceOf[SparkTypes.Session])
}

object RecordedFiles {
  def of(scan: FileSourceScanExec): RecordedFiles = {
    val relation = scan.relation
    if (ScanInternals.isOfStream(scan)) throw new NotPortable("it reads a stream")
    val listing = ScanInternals.files(scan)
    val number = ScanInternals.numberOf(listing)
    if (number > PortableForms.elementsMax) throw new NotPortable(s"it reads $number files")
    val directories = ScanInternals.directories(listing).map { directory =>
      RecordedDirectory(
        unsafe(directory.values, relation.partitionSchema),
        directory.files.map { f =>
          RecordedFile(f.getPath.toString, f.getLen, f.getModificationTime, f.metadata)
        }.toIndexedSeq)
    }.toIndexedSeq
    RecordedFiles(
      relation.location.rootPaths.map(_.toString),
      directories,
      relation.partitionSchema,
      relation.dataSchema,
      relation.bucketSpec,
      relation.fileFormat,
      relation.options)
  }

  private def unsafe(values: InternalRow, schema: StructType): InternalRow =
    if (schema.isEmpty) InternalRow.empty else UnsafeProjection.create(schema)(values).copy()
}

/** Lists what was recorded, whatever lies there now. */
final class RecordedFileIndex(
    roots: Seq[String],
    directories: Seq[RecordedDirectory],
    override val partitionSchema: StructType)
  extends FileIndex {
  override def rootPaths: Seq[Path] = roots.map(new Path(_))
  override def listFiles(partitionFilters: Seq[Expression], dataFilters: Seq[Expression]): Seq[PartitionDirectory] =
    directories.map { d =>
      PartitionDirectory(d.values, d.files.map(f => FileStatusWithMetadata(status(f), f.metadata)))
    }
  override def inputFiles: Array[String] = directories.flatMap(_.files.map(_.path)).toArray
  override def refresh(): Unit = {}
  override def sizeInBytes: Long = directories.flatMap(_.files.map(_.length)).sum

  private def status(file: RecordedFile): FileStatus =
    new FileStatus(file.length, false, 1, file.length, file.modified, new Path(file.path))
}
