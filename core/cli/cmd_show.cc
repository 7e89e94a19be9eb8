// reprise show DUMP, DUMP/loreId-N or REPORT.memory.json
//   purpose  say what a dump holds, before replaying it; or who held an executor's memory
//   input    a whole dump or one operator's folder; or what spark.reprise.memory.reportPath has
//   left output   a line for each operator; of one alone what it computes, its streams and schemas,
//   and
//            every attempt's record; with --sql a script of Spark's SQL that does the same
//   example  reprise show dump/loreId-10
#include "cli/cmd_show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/figure_text.h"
#include "cli/figures.h"
#include "cli/memory_report_text.h"
#include "cli/not_negative.h"
#include "cli/operator_folders.h"
#include "cli/operator_text.h"
#include "dump/digest_json.h"
#include "dump/reader.h"
#include "dump/unpacked.h"
#include "statements/dump_sql.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

struct ShowOptions {
  std::string path;
  bool json = false;
  bool sql = false;
  DumpSqlOptions statement;
};

// One partition folder with what could be read of it.
struct Shown {
  AttemptName name;
  Result<PartitionRecord> record;
};

// Each partition of each stream by itself.
std::vector<Shown> ReadStreamsApart(const OperatorDump& dump) {
  std::vector<Shown> shown;
  std::vector<std::shared_ptr<const RddMeta>> streams = dump.inputs();
  if (dump.output()) streams.push_back(dump.output());
  for (const auto& rdd : streams) {
    for (const AttemptName& name : dump.AttemptsOf(rdd->stream)) {
      auto stream = dump.StreamPartition(rdd->stream, name.partition, name.attempt);
      if (!stream.ok()) {
        shown.push_back({name, stream.status()});
        continue;
      }
      PartitionRecord record;
      record.partition = name.partition;
      record.attempt = stream->meta.header.attempt;
      record.committed = !name.attempt;
      if (rdd == dump.output()) {
        record.output = std::move(*stream);
      } else {
        record.inputs.push_back(std::move(*stream));
      }
      shown.push_back({name, std::move(record)});
    }
  }
  return shown;
}

std::vector<Shown> ReadPartitions(const OperatorDump& dump) {
  if (dump.plan().streams_apart) return ReadStreamsApart(dump);
  std::vector<Shown> shown;
  for (const AttemptName& name : dump.attempts()) {
    shown.push_back({name, name.attempt ? dump.Attempt(name.partition, *name.attempt)
                                        : dump.Partition(name.partition, /*truncated=*/true)});
  }
  return shown;
}

std::vector<const StreamRecord*> StreamsOf(const PartitionRecord& record) {
  std::vector<const StreamRecord*> streams;
  for (const StreamRecord& input : record.inputs) streams.push_back(&input);
  if (record.output) streams.push_back(&*record.output);
  return streams;
}

std::string EndText(const PartitionMeta& meta) {
  if (!meta.end) return "no end: died or still running";
  std::string text(Name(*meta.end));
  if (meta.end == StreamEnd::kTruncated) text += " by " + meta.limit;
  if (meta.digest_only)
    text += fmt::format(", {} counted", Counted(meta.digest.rows, "row", "rows"));
  return text;
}

std::string SummaryOf(int stream, const std::vector<Shown>& partitions, const RddMeta& rdd) {
  int64_t committed = 0, rows = 0, batches = 0, bytes = 0;
  for (const Shown& shown : partitions) {
    if (!shown.record.ok() || !shown.record->committed) continue;
    for (const StreamRecord* record : StreamsOf(*shown.record)) {
      if (record->rdd->stream != stream) continue;
      ++committed;
      rows += record->meta.rows();
      batches += static_cast<int64_t>(record->meta.batches.size());
      bytes += record->meta.bytes();
    }
  }
  return fmt::format("{} of {}, {}, {}, {}{}", committed,
                     Counted(rdd.partitions, "partition", "partitions"),
                     Counted(rows, "row", "rows"), Counted(batches, "batch", "batches"),
                     ByteText(bytes), rdd.replicated ? ", replicated" : "");
}

std::string PartitionTable(const std::vector<Shown>& partitions) {
  TextTable table({{"partition", true},
                   {"attempt", true},
                   {"state"},
                   {"stream"},
                   {"batches", true},
                   {"rows", true},
                   {"size", true},
                   {"ended"}});
  for (const Shown& shown : partitions) {
    if (!shown.record.ok()) continue;
    for (const StreamRecord* stream : StreamsOf(*shown.record)) {
      table.Add({std::to_string(shown.name.partition), std::to_string(shown.record->attempt),
                 shown.record->committed ? "committed" : "aside", StreamName(stream->rdd->stream),
                 Thousands(static_cast<int64_t>(stream->meta.batches.size())),
                 Thousands(stream->meta.rows()), ByteText(stream->meta.bytes()),
                 EndText(stream->meta)});
    }
  }
  return table.ToString(2);
}

void PrintStream(const RddMeta& rdd, const std::vector<Shown>& partitions) {
  constexpr int kIndent = 15;
  fmt::print("  {:<12} {}\n", StreamName(rdd.stream), SummaryOf(rdd.stream, partitions, rdd));
  fmt::print("{:{}}{}\n", "", kIndent, Wrapped(SchemaText(rdd.schema), kIndent));
}

// Where DuckDB finds a stream's batches: without those of attempts that stand aside.
std::string FilesOf(const OperatorDump& dump, const std::string& stream,
                    const std::vector<Shown>& partitions) {
  const std::string folder = dump.folder() + "/" + stream;
  const auto is_aside = [](const Shown& shown) { return shown.name.attempt.has_value(); };
  if (std::ranges::none_of(partitions, is_aside)) {
    return fmt::format("'{}/partition-*/batch-*.parquet'", folder);
  }
  std::vector<std::string> files;
  for (const Shown& shown : partitions) {
    if (is_aside(shown)) continue;
    files.push_back(fmt::format("'{}/partition-{}/batch-*.parquet'", folder, shown.name.partition));
  }
  return fmt::format("[{}]", fmt::join(files, ", "));
}

// A line each by which other programs open the rows.
void PrintHowToOpen(const OperatorDump& dump, const std::vector<Shown>& partitions) {
  const bool has_input = !dump.inputs().empty();
  if (!has_input && !dump.output()) return;
  fmt::print("\n  {:<12} SELECT * FROM read_parquet({})\n", "in DuckDB",
             FilesOf(dump, StreamName(has_input ? 0 : kOutputStream), partitions));
  fmt::print("  {:<12} reprise.open('{}').{}.to_pandas()\n", "in pandas", dump.folder(),
             has_input ? "input(0)" : "output()");
}

void PrintPartitionsAsText(const OperatorDump& dump, const std::vector<Shown>& partitions) {
  constexpr int kIndent = 15;
  const PlanMeta& plan = dump.plan();
  fmt::print("{}\n", dump.folder());
  fmt::print("{}  LORE id {}  {}  fingerprint {}\n", plan.spec.name, plan.spec.lore_id,
             plan.spec.occurrence, plan.spec.fingerprint);
  std::string versions;
  for (const auto& [name, version] : plan.versions.items()) {
    versions += fmt::format(" {} {},", name,
                            version.is_string() ? version.get<std::string>() : version.dump());
  }
  fmt::print("  {:<12}{} query {}\n", "recorded by", versions, plan.query);
  if (plan.partitions_captured) {
    fmt::print(
        "  {:<12} {}\n", "captured",
        Wrapped(fmt::format("partitions {}", fmt::join(*plan.partitions_captured, " ")), kIndent));
  }
  for (const auto& [name, text] : ArgumentLines(plan.spec)) {
    fmt::print("  {:<12} {}\n", name, Wrapped(text, kIndent));
  }
  for (const auto& input : dump.inputs()) PrintStream(*input, partitions);
  if (dump.output()) PrintStream(*dump.output(), partitions);
  fmt::print("\n{}", PartitionTable(partitions));
  PrintHowToOpen(dump, partitions);
  for (const Shown& shown : partitions) {
    if (!shown.record.ok()) fmt::print("  ! {}\n", shown.record.status().message());
  }
}

// Of all committed records of a stream.
int64_t RowsOf(int stream, const std::vector<Shown>& partitions) {
  int64_t rows = 0;
  for (const Shown& shown : partitions) {
    if (!shown.record.ok() || !shown.record->committed) continue;
    for (const StreamRecord* record : StreamsOf(*shown.record)) {
      if (record->rdd->stream == stream) rows += record->meta.passed_rows();
    }
  }
  return rows;
}

// The line of one operator among those of a whole dump.
void AddOperator(const OperatorDump& dump, const std::vector<Shown>& partitions, TextTable* table) {
  int64_t committed = 0, aside = 0, unreadable = 0, bytes = 0, rows_in = 0;
  for (const Shown& shown : partitions) {
    if (!shown.record.ok()) {
      ++unreadable;
      continue;
    }
    ++(shown.record->committed ? committed : aside);
    for (const StreamRecord* stream : StreamsOf(*shown.record)) bytes += stream->meta.bytes();
  }
  for (const auto& input : dump.inputs()) rows_in += RowsOf(input->stream, partitions);
  const OperatorSpec& spec = dump.plan().spec;
  table->Add({std::to_string(spec.lore_id), OperatorLabel(spec), spec.fingerprint,
              Thousands(committed), Thousands(aside), Thousands(unreadable), Thousands(rows_in),
              dump.output() ? Thousands(RowsOf(kOutputStream, partitions)) : "", ByteText(bytes)});
}

Json ShownJson(const Shown& shown) {
  Json json = {{"partition", shown.name.partition}};
  if (!shown.record.ok()) {
    json["attempt"] = shown.name.attempt ? Json(*shown.name.attempt) : Json();
    json["error"] = shown.record.status().message();
    return json;
  }
  json["attempt"] = shown.record->attempt;
  json["committed"] = shown.record->committed;
  json["streams"] = Json::array();
  for (const StreamRecord* stream : StreamsOf(*shown.record)) {
    Json entry = {{"name", StreamName(stream->rdd->stream)},
                  {"batches", stream->meta.batches.size()},
                  {"rows", stream->meta.rows()},
                  {"bytes", stream->meta.bytes()},
                  {"end", stream->meta.end ? Json(Name(*stream->meta.end)) : Json()}};
    if (stream->meta.end) entry["digest"] = reprise::ToJson(stream->meta.digest);
    json["streams"].push_back(std::move(entry));
  }
  return json;
}

Json ShownJson(const OperatorDump& dump, const std::vector<Shown>& partitions) {
  const PlanMeta& plan = dump.plan();
  Json streams = Json::array();
  const auto add = [&](const RddMeta& rdd) {
    streams.push_back({{"name", StreamName(rdd.stream)},
                       {"partitions", rdd.partitions},
                       {"replicated", rdd.replicated},
                       {"schema", reprise::ToJson(rdd.schema)}});
  };
  for (const auto& input : dump.inputs()) add(*input);
  if (dump.output()) add(*dump.output());
  Json records = Json::array();
  for (const Shown& shown : partitions) records.push_back(ShownJson(shown));
  return {
      {"folder", dump.folder()},
      {"operator", reprise::ToJson(plan.spec)},
      {"query", plan.query},
      {"versions", plan.versions},
      {"conf", plan.conf},
      {"partitionCount", plan.partition_count},
      {"partitionsCaptured", plan.partitions_captured ? Json(*plan.partitions_captured) : Json()},
      {"streams", std::move(streams)},
      {"partitions", std::move(records)}};
}

// Each operator of a dump in a line, or one as a whole.
void PrintAll(const std::vector<std::pair<OperatorDump, std::vector<Shown>>>& operators) {
  if (operators.size() == 1) {
    return PrintPartitionsAsText(operators[0].first, operators[0].second);
  }
  TextTable table({{"LORE id", true},
                   {"operator"},
                   {"fingerprint"},
                   {"records", true},
                   {"aside", true},
                   {"unreadable", true},
                   {"rows in", true},
                   {"rows out", true},
                   {"size", true}});
  for (const auto& [dump, partitions] : operators) AddOperator(dump, partitions, &table);
  fmt::print("{}\nreprise show {} says more of one.\n", table.ToString(),
             operators[0].first.folder());
}

Result<int> ShowMemoryReport(const ShowOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const Json report, ReadMemoryReport(options.path));
  if (options.json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    PrintText(MemoryReportText(report));
  }
  return kExitDone;
}

Result<int> RunShow(const ShowOptions& options) {
  if (IsMemoryReport(options.path)) return ShowMemoryReport(options);
  ARROW_ASSIGN_OR_RAISE(const Unpacked unpacked, Unpacked::Of(options.path));
  if (options.sql) {
    ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(unpacked.folder()));
    ARROW_ASSIGN_OR_RAISE(const std::string script, SqlOfDump(dump, options.statement));
    fmt::print("{}", script);
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> folders, OperatorFolders(unpacked.folder()));
  std::vector<std::pair<OperatorDump, std::vector<Shown>>> operators;
  int64_t unreadable = 0;
  for (const std::string& folder : folders) {
    ARROW_ASSIGN_OR_RAISE(OperatorDump dump, OperatorDump::Open(folder));
    std::vector<Shown> partitions = ReadPartitions(dump);
    for (const Shown& shown : partitions) unreadable += shown.record.ok() ? 0 : 1;
    operators.emplace_back(std::move(dump), std::move(partitions));
  }
  if (options.json) {
    Json json = Json::array();
    for (const auto& [dump, partitions] : operators) json.push_back(ShownJson(dump, partitions));
    fmt::print("{}\n", Json{{"operators", std::move(json)}}.dump(2));
  } else {
    PrintAll(operators);
  }
  if (unreadable == 0) return kExitDone;
  return Status::Invalid(
      options.path, ": ", Counted(unreadable, "partition folder", "partition folders"),
      " cannot be read; ",
      operators.size() == 1 ? "see above" : "reprise show of the operator says why");
}

Run DeclareShow(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  app.add_option("DUMP", options->path,
                 "a dump, the folder of one operator, DUMP/loreId-N, or what "
                 "reprise pack made of either; or an executor's report of its memory, "
                 "….memory.json")
      ->required();
  CLI::Option* const json = app.add_flag("--json", options->json, "print JSON");
  DumpSqlOptions& statement = options->statement;
  CLI::Option* const sql =
      app.add_flag("--sql", options->sql,
                   "print one operator as a script of Spark's SQL over its recorded inputs")
          ->excludes(json);
  app.add_option("--partition", statement.partition,
                 "with --sql: the task whose inputs it reads (the first if not given)")
      ->needs(sql)
      ->check(NotNegative());
  app.add_option("--values", statement.values_max,
                 "with --sql: inputs of so many rows are literals")
      ->needs(sql)
      ->check(NotNegative())
      ->capture_default_str();
  app.add_option("--tables", statement.tables,
                 "with --sql: a folder for the inputs that SQL cannot read as they lie in the dump")
      ->needs(sql);
  return [options] { return RunShow(*options); };
}

}  // namespace

const Subcommand kShow = {"show", "Say what a dump holds: operators, inputs, partitions, attempts",
                          "reprise show dump/loreId-10", DeclareShow};

}  // namespace reprise
