package reprise.access;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/** Spark's own reader of Parquet, as its scans use it in a task. */
public final class SparkReading {
  /** How far it has come with a split: not all versions say the same of each failure. */
  enum Progress { OPENING, FIRST_BATCH, LATER_BATCH }

  private static final int BATCH_ROWS = 4096;

  private final PartitionedFile file;
  private Progress progress = Progress.OPENING;

  private SparkReading(PartitionedFile file) {
    this.file = file;
  }

  /**
   * Reads a split to its end.
   *
   * @param files the configuration by which its file system is found; null: the process's own
   * @return what a scan of Spark's raises where that fails; null where it does not
   */
  public static Throwable failure(
      PartitionedFile file, StructType columns, StructType partitions, Configuration files) {
    SparkReading reading = new SparkReading(file);
    try {
      reading.read(columns, partitions, files);
      return null;
    } catch (Exception e) {
      return reading.named(e);
    }
  }

  private Throwable named(Exception e) {
    try {
      SparkErrors.raise(file, progress, e);
      return null;
    } catch (Throwable named) {
      return named;
    }
  }

  private void read(StructType columns, StructType partitions, Configuration files) throws Exception {
    Configuration conf = configuration(columns, files);
    Path path = file.toPath();
    FileSplit split = new FileSplit(path, file.start(), file.length(), new String[0]);
    SplitFooter footer = new SplitFooter(conf, file);
    // Dates and instants are let as they are: that some are ambiguous, the core itself finds.
    VectorizedParquetRecordReader reader = new VectorizedParquetRecordReader(
        null, "CORRECTED", "UTC", "CORRECTED", "UTC", /* useOffHeap= */ false, BATCH_ROWS);
    try {
      footer.initialize(reader, split, new TaskAttemptContextImpl(conf, new TaskAttemptID()));
      reader.initBatch(partitions, file.partitionValues());
      reader.enableReturningBatches();
      progress = Progress.FIRST_BATCH;
      while (reader.nextKeyValue()) {
        progress = Progress.LATER_BATCH;
      }
    } finally {
      reader.close();
      footer.close();
    }
  }

  private static Configuration configuration(StructType columns, Configuration files) {
    SQLConf session = SQLConf.get();
    Configuration conf = new Configuration(files == null ? SparkHadoopUtil.get().conf() : files);
    conf.set(ParquetInputFormat.READ_SUPPORT_CLASS, ParquetReadSupport.class.getName());
    conf.set(ParquetReadSupport.SPARK_ROW_REQUESTED_SCHEMA(), columns.json());
    conf.setBoolean(SQLConf.NESTED_SCHEMA_PRUNING_ENABLED().key(), session.nestedSchemaPruningEnabled());
    conf.setBoolean(SQLConf.CASE_SENSITIVE().key(), session.caseSensitiveAnalysis());
    conf.setBoolean(SQLConf.PARQUET_BINARY_AS_STRING().key(), session.isParquetBinaryAsString());
    conf.setBoolean(SQLConf.PARQUET_INT96_AS_TIMESTAMP().key(), session.isParquetINT96AsTimestamp());
    conf.setBoolean(
        SQLConf.PARQUET_INFER_TIMESTAMP_NTZ_ENABLED().key(), session.parquetInferTimestampNTZEnabled());
    conf.setBoolean(SQLConf.LEGACY_PARQUET_NANOS_AS_LONG().key(), session.legacyParquetNanosAsLong());
    SplitFooter.configure(conf, session);
    return conf;
  }
}
