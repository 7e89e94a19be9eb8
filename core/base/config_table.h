// The configuration of Reprise: one literal table of keys.
//
// A row is all there is to a key: it is read by its name, as `config.boolean("spark.reprise.…")`,
// on the driver (config.h) or, where the row says so, in a task (task_settings.h). A name that the
// table lacks, or whose value is of another type, does not compile.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace reprise {

enum class ConfigType {
  kBoolean,
  kInteger,
  kString,
  kChoice,
  kPath,  ///< absolute; a local one is kept without the scheme file:
};

/// A value that an alias writes differently: "NOT_ON_GPU" stands for "NOT_NATIVE".
struct ConfigValueAlias {
  std::string_view from;
  std::string_view to;
};

/// One key. Choices are compared without regard to case and kept as the table writes them.
struct ConfigEntry {
  std::string_view key;
  ConfigType type;
  bool in_task = false;            ///< tasks read it: its value travels to the executors
  bool at_start = false;           ///< read when the application starts: a session cannot change it
  std::string_view default_value;  ///< "" for a text or a path: not set
  std::string_view doc;
  std::string_view alias;  ///< another name of the key with the same meaning; "" where it has none
  std::span<const std::string_view> choices;
  std::span<const ConfigValueAlias> alias_values;
  int64_t integer_min = 0;
  int64_t integer_max = 0;
};

inline constexpr std::string_view kModes[] = {"execute", "explainOnly"};
inline constexpr ConfigValueAlias kModeAliases[] = {{"executeongpu", "execute"}};
inline constexpr std::string_view kExplainModes[] = {"NONE", "NOT_NATIVE", "ALL"};
inline constexpr ConfigValueAlias kExplainAliases[] = {{"NOT_ON_GPU", "NOT_NATIVE"}};

inline constexpr std::string_view kLedgerOperators[] = {"native", "all"};
inline constexpr std::string_view kCodecs[] = {"lz4", "zstd", "none"};

inline constexpr ConfigEntry kConfigTable[] = {
    {.key = "spark.reprise.sql.enabled",
     .type = ConfigType::kBoolean,
     .default_value = "true",
     .doc = "Whether plans are looked at and operators run natively.",
     .alias = "spark.rapids.sql.enabled"},
    {.key = "spark.reprise.sql.mode",
     .type = ConfigType::kChoice,
     .default_value = "execute",
     .doc = "`execute` runs operators natively; `explainOnly` only says what would run natively. "
            "What is dumped is then what Spark's own operators have read and given.",
     .alias = "spark.rapids.sql.mode",
     .choices = kModes,
     .alias_values = kModeAliases},
    {.key = "spark.reprise.sql.explain",
     .type = ConfigType::kChoice,
     .default_value = "NONE",
     .doc = "What is explained about each plan: nothing, the operators and expressions that do not "
            "run natively "
            "with the reasons, or all of them.",
     .alias = "spark.rapids.sql.explain",
     .choices = kExplainModes,
     .alias_values = kExplainAliases},
    {.key = "spark.reprise.sql.guests.enabled",
     .type = ConfigType::kBoolean,
     .default_value = "true",
     .doc = "Whether Spark evaluates expressions without a native form inside native pipelines. "
            "Where not, the operators that have them stay Spark's."},
    {.key = "spark.reprise.sql.batchRows",
     .type = ConfigType::kInteger,
     .in_task = true,
     .default_value = "32768",
     .doc = "The rows that operators aim at in a batch.",
     .integer_min = 1,
     .integer_max = 16'777'216},
    {.key = "spark.reprise.sql.batchBytes",
     .type = ConfigType::kInteger,
     .in_task = true,
     .default_value = "4194304",
     .doc = "The bytes of values, decoded, that a batch has at most where it has fewer than "
            "`spark.reprise.sql.batchRows` rows: less where memory is short. A batch has a row at "
            "least.",
     .integer_min = 1,
     .integer_max = 1'073'741'824},
    {.key = "spark.reprise.exchange.codec",
     .type = ConfigType::kChoice,
     .default_value = "lz4",
     .doc = "How the blocks of native exchanges are compressed: `lz4`, `zstd` or `none`. "
            "`spark.shuffle.compress` applies to them as well.",
     .choices = kCodecs},
    {.key = "spark.reprise.concurrentTasks",
     .type = ConfigType::kInteger,
     .in_task = true,
     .default_value = "0",
     .doc = "How many tasks of an executor compute natively at once; others wait, unless they are "
            "outside the "
            "native side, as while Spark's own operators run. 0: no limit.",
     .integer_min = 0,
     .integer_max = 65'536},
    {.key = "spark.reprise.memory.debug",
     .type = ConfigType::kBoolean,
     .in_task = true,
     .default_value = "false",
     .doc = "Whether native memory that a task has not given back at its end fails the task, with "
            "the operators that "
            "allocated it. Slow."},
    {.key = "spark.reprise.memory.reportPath",
     .type = ConfigType::kString,
     .in_task = true,
     .at_start = true,
     .default_value = "",
     .doc = "The folder in which each executor keeps a report of who holds its memory, while tasks "
            "run: Spark's consumers, the JVM, native operators and their last batches, as of at "
            "most a second ago. That of an executor that ends well is removed; `reprise show` "
            "reads those of others. Slow: each native "
            "allocation remembers its operator."},
    {.key = "spark.reprise.order.debug",
     .type = ConfigType::kBoolean,
     .default_value = "false",
     .doc = "Whether each native operator looks if its rows come in the order that the plan "
            "promises of it, and fails the task with the operator and two rows where they don't. "
            "Slow."},
    {.key = "spark.reprise.memory.denyEvery",
     .type = ConfigType::kInteger,
     .in_task = true,
     .default_value = "0",
     .doc = "For tests: each of so many requests for native memory is denied, so that operators "
            "spill where they have little. 0: none. Slow.",
     .integer_min = 0,
     .integer_max = 1'000'000},
    {.key = "spark.reprise.trace.path",
     .type = ConfigType::kPath,
     .in_task = true,
     .default_value = "",
     .doc = "The directory that executors write traces to, one file each: what the native "
            "operators did and when, for ui.perfetto.dev or chrome://tracing. On any file system; "
            "without a scheme it is a local one."},
    {.key = "spark.reprise.trace.maxEventsPerTask",
     .type = ConfigType::kInteger,
     .in_task = true,
     .default_value = "100000",
     .doc = "How many ranges of a task a trace keeps; the task's own range says how many were "
            "dropped.",
     .integer_min = 1,
     .integer_max = 100'000'000},
    {.key = "spark.reprise.lineage.path",
     .type = ConfigType::kString,
     .at_start = true,
     .default_value = "",
     .doc = "The folder that the application's lineage is recorded to: the RDDs of every job with "
            "their closures, partitions and broadcasts, and its events. It must be absent or "
            "empty, or hold a recording, which is overwritten.",
     .alias = "spark.eventLogging.eventLogPath"},
    {.key = "spark.reprise.lineage.enabled",
     .type = ConfigType::kBoolean,
     .at_start = true,
     .default_value = "true",
     .doc = "Whether lineage is recorded, where a path is set. Where the path is set by its alias, "
            "the default is `false`.",
     .alias = "spark.eventLogging.enabled"},
    {.key = "spark.reprise.lineage.results",
     .type = ConfigType::kBoolean,
     .at_start = true,
     .default_value = "false",
     .doc = "Whether the recording of the lineage keeps what each task of a job's last stage gave "
            "to the driver, as `collect` and `reduce` get it: `reprise tasks --results`, and "
            "`EventReplayer.result`."},
    {.key = "spark.reprise.ledger.path",
     .type = ConfigType::kString,
     .at_start = true,
     .default_value = "",
     .doc =
         "The folder below which the application writes its ledger, in a folder named after its "
         "id: checksums of what each operator, each shuffle and each job has given, partition by "
         "partition, for `reprise ledger`."},
    {.key = "spark.reprise.ledger.enabled",
     .type = ConfigType::kBoolean,
     .default_value = "true",
     .doc =
         "Whether a query is checksummed, where a path is set: `SET "
         "spark.reprise.ledger.enabled=false` "
         "leaves the session's next queries out. Of a job over RDDs its local property of the "
         "same name says so: `sc.setLocalProperty(\"spark.reprise.ledger.enabled\", \"false\")`."},
    {.key = "spark.reprise.ledger.operators",
     .type = ConfigType::kChoice,
     .at_start = true,
     .default_value = "native",
     .doc =
         "Whose output is checksummed: `native`, that of the native operators, and of Spark's own "
         "where they end a stage; `all`, that of every operator, for which Spark must not "
         "generate code for several operators at once.",
     .choices = kLedgerOperators},
    {.key = "spark.reprise.lore.tag.enabled",
     .type = ConfigType::kBoolean,
     .default_value = "true",
     .doc = "Whether operators get LORE ids, shown as `[loreId=5]`.",
     .alias = "spark.rapids.sql.lore.tag.enabled"},
    {.key = "spark.reprise.lore.idsToDump",
     .type = ConfigType::kString,
     .default_value = "",
     .doc = "The operators to dump and their partitions: `1[*], 2[0 4-6 7]`. A range excludes its "
            "end: 0, 4, 5, 7. An operator is named by its LORE id, by its name and occurrence "
            "(`Filter#0[*]`), or by its fingerprint, which may be that of several. `5+` is an "
            "operator and all below it, `Filter` every filter, `*` all that can be dumped. "
            "`stage:5` is the stage that 5 runs in, `query` each stage: of what runs natively what "
            "enters and leaves it is dumped, to be replayed as one.",
     .alias = "spark.rapids.sql.lore.idsToDump"},
    {.key = "spark.reprise.lore.dumpPath",
     .type = ConfigType::kString,
     .default_value = "",
     .doc = "The directory that dumps are written under, in any file system that Hadoop's client "
            "knows.",
     .alias = "spark.rapids.sql.lore.dumpPath"},
    {.key = "spark.reprise.lore.perQuery",
     .type = ConfigType::kBoolean,
     .default_value = "true",
     .doc = "Whether each query that dumps something does so to a directory of its own below "
            "`dumpPath`, named after its SQL execution: `query-17-1a2b3c4d`. With `false` "
            "`dumpPath` must be absent or empty, and one query dumps to it; so it is, unless this "
            "key is set, where the path is set under its alias."},
    {.key = "spark.reprise.lore.once",
     .type = ConfigType::kBoolean,
     .default_value = "false",
     .doc = "Whether `idsToDump` holds for one query: the next of the session that has a chosen "
            "operator. When that has ended, failed or not, `idsToDump` is unset."},
    {.key = "spark.reprise.lore.strict",
     .type = ConfigType::kBoolean,
     .default_value = "false",
     .doc = "Whether a query that runs an operator that is chosen and cannot be dumped is an "
            "error, before anything of it has run. Otherwise it runs, and the log warns."},
    {.key = "spark.reprise.lore.output.enabled",
     .type = ConfigType::kBoolean,
     .default_value = "true",
     .doc = "Whether a dump also records the operator's output, for replay to compare with."},
    {.key = "spark.reprise.lore.withData",
     .type = ConfigType::kBoolean,
     .default_value = "false",
     .doc = "Whether the dump of a leaf, such as a scan, holds the rows that it gave. Without them "
            "it holds the splits that its tasks read and a digest of the rows."},
    {.key = "spark.reprise.lore.maxRows",
     .type = ConfigType::kInteger,
     .default_value = "0",
     .doc = "How many rows of a partition a dump records of each input and of the output; then the "
            "record is cut off, says so, and the query goes on. 0: no limit.",
     .integer_min = 0,
     .integer_max = std::numeric_limits<int64_t>::max()},
    {.key = "spark.reprise.lore.maxBytes",
     .type = ConfigType::kInteger,
     .default_value = "0",
     .doc = "The same in bytes of the files that are written. 0: no limit.",
     .integer_min = 0,
     .integer_max = std::numeric_limits<int64_t>::max()},
    {.key = "spark.reprise.lore.when",
     .type = ConfigType::kString,
     .default_value = "always",
     .doc = "Which tasks of the operators to dump are dumped: `always`; `failure`, those that "
            "fail; `slow:3x`, those that take three times the median of their stage's tasks that "
            "have ended. Until a task's end its input is kept in spill files. With `always` a dump "
            "that cannot be written fails the task, else it is given up with a warning."},
    {.key = "spark.reprise.lore.ringBytes",
     .type = ConfigType::kInteger,
     .default_value = "1073741824",
     .doc = "How much of a task is kept until its end where `spark.reprise.lore.when` is not "
            "`always`; of more, the newest batches.",
     .integer_min = 1,
     .integer_max = std::numeric_limits<int64_t>::max()},
    {.key = "spark.reprise.lore.mask",
     .type = ConfigType::kString,
     .default_value = "",
     .doc = "Columns whose values a dump must not hold: `c_name:hash, c_phone:null, "
            "c_acctbal:shuffle`, by name, in every operator, and in what is computed of them. "
            "`hash` gives each value another one, "
            "the same wherever it occurs in the query; `null` nulls; `shuffle` exchanges the "
            "values within a batch."},
    {.key = "spark.reprise.assert",
     .type = ConfigType::kString,
     .default_value = "",
     .doc = "What must hold of the rows that operators give; a task that finds a row for which it "
            "does not fails. Assertions are separated by semicolons, each behind its operator, "
            "which is named as in `spark.reprise.lore.idsToDump`: "
            "`5: l_quantity > 0; Filter#0: unique(o_orderkey); 7: sorted(a, b desc); "
            "8: no_nulls(a); 9: count between 1 and 100; 10: exists(a > 0)`. `docs/howto/"
            "replay-debugger.md` has them all."},
    {.key = "spark.reprise.flameGraph.pathPrefix",
     .type = ConfigType::kString,
     .at_start = true,
     .default_value = "",
     .doc = "The directory, of any file system that Spark reaches, for a flame graph of every "
            "stage; setting it takes profiles.",
     .alias = "spark.rapids.flameGraph.pathPrefix"},
    {.key = "spark.reprise.ui.enabled",
     .type = ConfigType::kBoolean,
     .at_start = true,
     .default_value = "true",
     .doc =
         "Whether Spark's page of the application has a tab *Reprise*, with the report so far, and "
         "LORE ids behind the names of operators in its pages of queries. Where "
         "`spark.ui.enabled` is false there is none."},
    {.key = "spark.reprise.ui.address",
     .type = ConfigType::kString,
     .default_value = "",
     .doc = "Where Spark's page of the application is; the plug-in sets it, so that clients of "
            "Spark Connect know."},
    {.key = "spark.reprise.otlp.endpoint",
     .type = ConfigType::kString,
     .at_start = true,
     .default_value = "",
     .doc = "Where spans of the application, its queries, stages, tasks and operators are sent by "
            "OpenTelemetry's protocol over HTTP: `http://collector:4318`, to which `/v1/traces` is "
            "added."},
    {.key = "spark.reprise.flameGraph.executors",
     .type = ConfigType::kString,
     .at_start = true,
     .default_value = "*",
     .doc = "Which executors are profiled: `*`, or ids, ranges of ids with both their ends, and "
            "`driver`, separated by commas: `0,2,5-8,driver`. The driver, and the one executor of "
            "local mode, are called `driver`; `*` takes them, too.",
     .alias = "spark.rapids.flameGraph.executors"},
    {.key = "spark.reprise.flameGraph.asyncProfiler.options",
     .type = ConfigType::kString,
     .at_start = true,
     .default_value = "jfr,event=cpu,wall=10ms",
     .doc = "What async-profiler records. Where the kernel forbids an event, `ctimer` or `itimer` "
            "is taken instead.",
     .alias = "spark.rapids.flameGraph.asyncProfiler.options"},
    {.key = "spark.reprise.flameGraph.maxBytes",
     .type = ConfigType::kInteger,
     .at_start = true,
     .default_value = "1073741824",
     .doc = "How many bytes of recordings and pages are kept of an executor. Where there would be "
            "more, the oldest chunks of a stage that runs, and the oldest stages, are dropped.",
     .integer_min = 1'048'576,
     .integer_max = std::numeric_limits<int64_t>::max()},
};

/// Of these keys the profiler reads what they say, once: what is wrong with them fails nothing.
inline constexpr std::string_view kProfilePrefix = "spark.reprise.flameGraph.";

/// All keys, in the order in which the reference page shows them.
constexpr std::span<const ConfigEntry> ConfigTable() { return kConfigTable; }

}  // namespace reprise
