package reprise.access;

import java.io.Closeable;
import java.io.IOException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFooterReader;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.internal.SQLConf;

import scala.Option;

/** The footer of a Parquet file, as Spark's scans read it before the split: the reader opens the file again. */
final class SplitFooter implements Closeable {
  private final ParquetMetadata footer;

  SplitFooter(Configuration conf, PartitionedFile file) throws IOException {
    footer = ParquetFooterReader.readFooter(conf, file, ParquetFooterReader.WITH_ROW_GROUPS);
  }

  void initialize(VectorizedParquetRecordReader reader, FileSplit split, TaskAttemptContext task) throws Exception {
    reader.initialize(split, task, Option.apply(footer));
  }

  @Override
  public void close() {}

  /** Sets what other versions of Spark have no setting for. */
  static void configure(Configuration conf, SQLConf session) {}
}
