package reprise.bridge;

/**
 * The native library's methods. {@code docs/internals/core-interface.md} is their contract: JSON texts, handles and
 * addresses cross, nothing else. The library must be loaded ({@code System.load}) before the first call.
 *
 * <p>Handles are never used twice. A handle that was never given, or whose object is gone, is an
 * {@link IllegalStateException}, except that closing a fragment and freeing a batch may be repeated.
 *
 * <p>Errors are {@link NativeException}s where nothing else is said. A Throwable out of a {@link RowSource} or a
 * {@link TaskProbe} leaves the method that called it as the same object.
 */
public final class Native {
  private Native() {}

  /**
   * Checks the configuration with which the application starts, and makes the directory for traces if it names one.
   * Driver.
   *
   * @param confJson {@code {key:value}} of what is set, both strings
   * @return the answer of {@code ApplicationSettings}, core/base/plugin_settings.h
   * @throws IllegalArgumentException for an unknown key, a malformed value, or a directory that cannot be written to
   */
  public static native String applicationSettings(String confJson);

  /**
   * What is to be known before anything else is asked for a query or a job. Never an error for what is set. Driver.
   *
   * @param confJson as of {@link #applicationSettings}
   * @return the answer of {@code SwitchSettings}, core/base/plugin_settings.h
   */
  public static native String switches(String confJson);

  /**
   * What a fragment goes by, and its tasks. Makes the directory for traces if one is named. Driver.
   *
   * @param confJson as of {@link #applicationSettings}
   * @return the answer of {@code FragmentSettings}, core/base/plugin_settings.h
   * @throws IllegalArgumentException for what is wrong with a task's key, or with that directory
   */
  public static native String taskSettings(String confJson);

  /**
   * Says for each node of a plan whether it runs natively. Driver.
   *
   * @param planJson a document of {@code docs/internals/plan-json.md}, in UTF-8
   * @param requestJson {@code {"conf":…,"pass":…,"known":…}}
   * @return the answer of core-interface.md
   * @throws IllegalArgumentException for a document, request or setting that cannot be taken
   */
  public static native String plan(byte[] planJson, String requestJson);

  /**
   * Begins the dump of an operator: checks the dump path, writes {@code plan.meta} and {@code rdd.meta}. Driver, before
   * the stage that captures.
   *
   * @throws IllegalArgumentException for a dump path that is not an absent or empty directory, or a malformed request
   */
  public static native void beginDump(String requestJson);

  /**
   * Removes what was begun of a query's operators that are dumped where tasks fail or are slow, and of which no task was.
   * Driver, when the query has run.
   *
   * @param query the token that names it in captures
   */
  public static native void endDumps(String query);

  /**
   * Draws the RDDs and stages that an event log tells of. Driver.
   *
   * @param log a local path
   * @param format "svg", "png", …; "dot" needs no Graphviz
   * @throws IllegalArgumentException where the log cannot be read, or the picture not be drawn or written
   */
  public static native void drawLineage(String log, String format, String file);

  /** The names of Spark's own settings that the core reads, as a JSON array: core/base/spark_settings.h. */
  public static native String sparkSettings();

  /**
   * Builds a fragment for a task.
   *
   * @param rows the sources that the leaves {@code {"rows":k}} of the task refer to; kept until close
   * @param probe what the fragment asks of its task; null: it is never cancelled, its memory has no limit; kept until
   *     close
   * @return the fragment's handle, to be given to {@link #close} whatever happens
   */
  public static native long open(
      String fragmentJson, String taskJson, Object[] sources, TaskProbe probe);

  /**
   * Computes the next batch.
   *
   * @return its handle, of a batch with at least one row; 0 at the end, and again after it
   * @throws java.util.concurrent.CancellationException where the probe says that the task is cancelled
   */
  public static native long next(long fragment);

  /**
   * The next encoded block of a fragment whose root encodes, or the next batch of a cache where the task says that its
   * rows leave so.
   *
   * @param out receives the partition and the number of rows
   * @return null at the end, and again after it
   * @throws java.util.concurrent.CancellationException where the probe says that the task is cancelled
   */
  public static native byte[] nextBlock(long fragment, long[] out);

  /**
   * Who holds the native memory of this process: the text of {@code LiveFragmentsText}, core/task/live_fragments.h. On any
   * thread.
   */
  public static native String liveFragments();

  /** Lets go of what was built of a broadcast in this process. */
  public static native void releaseBroadcast(long broadcast);

  /** Rows of a batch. */
  public static native long rowCount(long batch);

  /**
   * Converts a batch of the fragment to UnsafeRows and frees it, also where converting fails.
   *
   * @param block receives the address of the rows' bytes, and that of an array of int32 with one element more than
   *     rows: row i has the bytes from its element i up to element i + 1. Both are valid until the next {@code next},
   *     {@code toRows} or {@code close} of the fragment.
   * @return how many rows; may be 0
   */
  public static native int toRows(long fragment, long batch, long[] block);

  /**
   * Columns of a batch as the message of a record batch in Arrow's streaming format, in the types that Spark gives them
   * in Arrow. The batch stays.
   *
   * @param asStruct as the children of one column
   */
  public static native byte[] arrowMessage(long batch, int[] columns, boolean asStruct);

  /** The value of a column of booleans that has one value in the batch, which stays. */
  public static native boolean isSet(long batch, int column);

  /** A batch of the first row of a batch, which is gone then. */
  public static native long firstRow(long batch);

  /** Frees a batch that nothing else frees. A batch that is gone already is left alone. */
  public static native void freeBatch(long batch);

  /**
   * Reads the fragment's figures so far: for the operators in pre-order, each one's metrics in the order of its verdict.
   * May be called at any time until close.
   *
   * @param out exactly as long as there are figures
   */
  public static native void metrics(long fragment, long[] out);

  /**
   * Asks the fragment to move about so many bytes to disk and to release their memory. Does nothing, and does not wait,
   * where another thread is inside the fragment. May be called out of a source of the fragment, or out of
   * {@link TaskProbe#acquire}, in which it does nothing.
   *
   * @return how many bytes were released
   */
  public static native long spill(long fragment, long bytes);

  /**
   * Reads figures of the fragment as a whole, so far: bytes of memory that were spilled, bytes that spilling has written,
   * the peak of its memory in bytes, and the nanoseconds that it has waited to be one of the tasks that may compute
   * ({@code concurrentTasks}).
   *
   * @param out of four elements
   */
  public static native void taskFigures(long fragment, long[] out);

  /**
   * What the ledger learns of the fragment's operators so far: entries of docs/internals/ledger-format.md.
   *
   * @param query the token of the query that they belong to
   * @return a JSON array
   */
  public static native String ledgerEntries(long fragment, String query);

  /**
   * Begins to checksum the rows that an operator of Spark's gives in a task.
   *
   * @param requestJson the member "ledger" of the operator's verdict
   * @return a handle, to be given to {@link #closeRowChecksums}
   */
  public static native long openRowChecksums(String requestJson);

  /**
   * Adds rows.
   *
   * @param rows the address of UnsafeRows, one after the other
   * @param lengths the address of their lengths in bytes, as int32
   */
  public static native void addRows(long checksums, long rows, long lengths, int count);

  /**
   * Ends the checksums.
   *
   * @param complete whether the operator's output was read to its end
   * @return an entry of docs/internals/ledger-format.md
   */
  public static native String closeRowChecksums(long checksums, String query, boolean complete);

  /**
   * Ends the fragment: commits or abandons captures, frees its operators and its batches. What it has given to other
   * fragments of the task stays valid until {@link #close}, which alone may be called of it then. Must not be called out
   * of a RowSource or TaskProbe of the same fragment. A fragment that is finished already, and 0, are left alone.
   *
   * @param failed whether the task has
   * @param error with what it has ({@link RaisedError}); null where nobody knows, or it has not
   * @throws NativeException if a capture could not be committed. All is freed nevertheless.
   */
  public static native void finish(long fragment, boolean failed, String error);

  /**
   * Finishes the fragment, if that has not been done, and gives back all memory. Fragments that have read its batches
   * must have been finished.
   *
   * @param failed as of {@link #finish}
   * @throws NativeException as {@link #finish}; or, under {@code spark.reprise.memory.debug}, if memory was not given
   *     back. All is freed nevertheless.
   */
  public static native void close(long fragment, boolean failed);

  /**
   * What the folder of an operator's dump says of it, without its records: {@code core/replay/description.h}.
   *
   * @throws IllegalArgumentException for a folder that is no dump
   */
  public static native String describeDump(String folder);

  /**
   * Opens a recorded stream of one partition of a dump.
   *
   * @param stream the number of the input
   * @param attempt the attempt that recorded it; below 0: the committed one
   * @return the handle of a fragment that gives the recorded batches; to be given to {@link #close}
   * @throws IllegalArgumentException where there is no such record
   */
  public static native long openRecord(String folder, int stream, int partition, long attempt);

  /**
   * Does what {@code reprise replay} does, on the standard output too, with the operator that is given.
   *
   * @param arguments those of the command line, after {@code replay}
   * @param report null, or of one element: receives the report as JSON, which is then not printed
   * @return the exit status: 0 as recorded, 1 not
   * @throws IllegalArgumentException for what ends the program with status 2
   */
  public static native int replay(String[] arguments, ReplayedOperator operator, String[] report);

  /**
   * Does what {@code reprise shrink} does, on the standard output too, with the dumps that are opened for it.
   *
   * @param arguments those of the command line, after {@code shrink}
   * @return the exit status: 0
   * @throws IllegalArgumentException for what ends the program with status 2
   */
  public static native int shrink(String[] arguments, ReplayedDumps dumps);

  /**
   * Begins the report of an application that is told of event by event. Any thread may use it.
   *
   * @param queries of more, those are left out that ended first
   * @param stages the same of stages
   * @return its handle, for {@link #closeReport}
   */
  public static native long openReport(long queries, long stages);

  /**
   * Takes an event as Spark's event log has it; of many kinds nothing is wanted.
   *
   * @throws IllegalArgumentException for one that is damaged
   */
  public static native void addEvent(long report, String event);

  /** The report so far: JSON in UTF-8, as {@code reprise report --json} prints it. */
  public static native byte[] reportJson(long report);

  /**
   * What is put behind the names of the operators of a query's last plan, so that they show their LORE ids.
   *
   * @return a JSON array of texts, in pre-order; empty for a query that is not known
   */
  public static native String operatorLabels(long report, long execution);

  /** The page that shows a report, in UTF-8: it asks for the JSON at {@code data} below it. */
  public static native byte[] reportPage();

  public static native void closeReport(long report);

  /**
   * Begins the spans of an application that is told of event by event. Any thread may use them.
   *
   * @param traceparent of what the application is part of, as W3C's Trace Context writes it; a text that is none begins a
   *     trace
   * @param service the name that spans are found by; empty: the application's
   * @return their handle, for {@link #closeSpans}
   */
  public static native long openSpans(String traceparent, String service);

  /**
   * Takes an event as Spark's event log has it; of many kinds nothing is wanted.
   *
   * @throws IllegalArgumentException for one that is damaged
   */
  public static native void addSpanEvent(long spans, String event);

  /** What has ended since the last call, as OpenTelemetry's protocol sends it; empty: nothing has. */
  public static native byte[] takeSpans(long spans);

  public static native void closeSpans(long spans);
}
