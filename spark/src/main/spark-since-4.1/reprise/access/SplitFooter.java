package reprise.access;

import java.io.Closeable;
import java.io.IOException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.OpenedParquetFooter;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFooterReader;
import org.apache.spark.sql.execution.datasources.parquet.VectorizedParquetRecordReader;
import org.apache.spark.sql.internal.SQLConf;

import scala.Option;

/** The footer of a Parquet file, as Spark's scans read it before the split: it comes with the opened file. */
final class SplitFooter implements Closeable {
  private final OpenedParquetFooter footer;

  SplitFooter(Configuration conf, PartitionedFile file) throws IOException {
    footer = ParquetFooterReader.openFileAndReadFooter(conf, file, true);
  }

  void initialize(VectorizedParquetRecordReader reader, FileSplit split, TaskAttemptContext task) throws Exception {
    reader.initialize(
        split,
        task,
        Option.apply(footer.inputFile()),
        Option.apply(footer.inputStream()),
        Option.apply(footer.footer()));
  }

  @Override
  public void close() throws IOException {
    footer.inputStream().close();
  }

  /** Sets what other versions of Spark have no setting for. */
  static void configure(Configuration conf, SQLConf session) {
    conf.setBoolean(
        SQLConf.PARQUET_READER_RESPECT_UNKNOWN_TYPE_ANNOTATION().key(),
        session.parquetReaderRespectUnknownTypeAnnotation());
  }
}
