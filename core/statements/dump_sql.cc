#include "statements/dump_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/figure_text.h"
#include "replay/output_file.h"
#include "statements/sql_operator.h"
#include "statements/sql_value.h"
#include "transitions/readable_rows.h"

namespace reprise {

namespace fs = std::filesystem;

namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kSettings[] = {"spark.sql.ansi.enabled", "spark.sql.session.timeZone",
                                          "spark.sql.caseSensitive"};
constexpr std::string_view kSettingGroups[] = {"spark.sql.legacy.", "spark.sql.decimalOperations."};

bool ChangesExpressions(std::string_view key) {
  return std::ranges::find(kSettings, key) != std::end(kSettings) ||
         std::ranges::any_of(kSettingGroups,
                             [&](std::string_view group) { return key.starts_with(group); });
}

std::string SettingsText(const nlohmann::json& conf) {
  std::string text;
  for (const auto& [key, value] : conf.items()) {
    if (!ChangesExpressions(key) || !value.is_string()) continue;
    text += fmt::format("SET {}={};\n", key, value.get_ref<const std::string&>());
  }
  return text;
}

// A stream of the operator: the records that one task read of it.
struct InputRecords {
  std::shared_ptr<const RddMeta> rdd;
  std::vector<StreamRecord> records;
};

int64_t RowsOf(const InputRecords& input) {
  int64_t rows = 0;
  for (const StreamRecord& record : input.records) rows += record.meta.rows();
  return rows;
}

Result<std::vector<InputRecords>> RecordsOfAll(const OperatorDump& dump) {
  std::vector<InputRecords> inputs;
  for (const auto& rdd : dump.inputs()) {
    InputRecords& input = inputs.emplace_back();
    input.rdd = rdd;
    for (const AttemptName& name : dump.AttemptsOf(rdd->stream)) {
      if (name.attempt) continue;
      ARROW_ASSIGN_OR_RAISE(input.records.emplace_back(),
                            dump.StreamPartition(rdd->stream, name.partition));
    }
  }
  return inputs;
}

Result<int> PartitionOf(const OperatorDump& dump, const std::optional<int>& wanted) {
  if (wanted) return *wanted;
  const auto first =
      std::ranges::find_if(dump.attempts(), [](const AttemptName& name) { return !name.attempt; });
  if (first != dump.attempts().end()) return first->partition;
  return Status::Invalid(dump.folder(), " holds no partition that was recorded to its end");
}

Result<std::vector<InputRecords>> RecordsOf(const OperatorDump& dump, int partition) {
  ARROW_ASSIGN_OR_RAISE(const PartitionRecord record,
                        dump.Partition(partition, /*truncated=*/true));
  std::vector<InputRecords> inputs;
  for (const StreamRecord& input : record.inputs) inputs.push_back({input.rdd, {input}});
  return inputs;
}

// "CAST(NULL AS int) AS `a`, …"
std::string NoRow(const std::vector<Field>& fields, const Texts& names) {
  Texts items;
  for (size_t i = 0; i < fields.size(); ++i) {
    items.push_back(
        fmt::format("CAST(NULL AS {}) AS {}", fields[i].type.ToString(), SqlName(names[i])));
  }
  return fmt::format("SELECT {} WHERE false", fmt::join(items, ", "));
}

// One row of literals a line.
Status AddRows(const arrow::RecordBatch& batch, const std::vector<Field>& fields, Texts* lines) {
  ARROW_ASSIGN_OR_RAISE(const auto schema, ReadableSchema(fields));
  ARROW_ASSIGN_OR_RAISE(const auto rows, ReadableRows(batch, fields, schema));
  for (int64_t row = 0; row < rows->num_rows(); ++row) {
    Texts values;
    for (int column = 0; column < rows->num_columns(); ++column) {
      ARROW_ASSIGN_OR_RAISE(const auto value, rows->column(column)->GetScalar(row));
      ARROW_ASSIGN_OR_RAISE(values.emplace_back(),
                            SqlOfValue(*value, fields[static_cast<size_t>(column)].type));
    }
    lines->push_back(fmt::format("    ({})", fmt::join(values, ", ")));
  }
  return Status::OK();
}

Result<std::string> AsValues(const InputRecords& input, const Texts& names) {
  const std::vector<Field>& fields = input.rdd->schema;
  Texts lines;
  for (const StreamRecord& record : input.records) {
    ARROW_ASSIGN_OR_RAISE(const auto batches, ReadBatches(record, arrow::default_memory_pool()));
    for (const auto& batch : batches) RETURN_NOT_OK(AddRows(*batch, fields, &lines));
  }
  if (lines.empty()) return NoRow(fields, names);
  Texts quoted;
  for (const std::string& name : names) quoted.push_back(SqlName(name));
  return fmt::format("SELECT * FROM VALUES\n{}\n    AS recorded({})", fmt::join(lines, ",\n"),
                     fmt::join(quoted, ", "));
}

// A path as a file source of Spark's takes it: some characters would be a pattern.
std::string PatternOf(const std::string& path) {
  std::string escaped;
  for (const char c : path) {
    if (std::string_view("{}[]*?\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string FromFiles(const Texts& patterns, const std::vector<Field>& fields, const Texts& names) {
  Texts items;
  for (size_t i = 0; i < fields.size(); ++i) {
    items.push_back(fields[i].type.is(TypeKind::kNull) ? "NULL AS " + SqlName(names[i])
                                                       : SqlName(names[i]));
  }
  Texts statements;
  for (const std::string& pattern : patterns) {
    statements.push_back(
        fmt::format("SELECT {} FROM parquet.{}", fmt::join(items, ", "), SqlName(pattern)));
  }
  return fmt::format("{}", fmt::join(statements, "\n  UNION ALL\n  "));
}

Result<std::string> AsTheyLie(const InputRecords& input, const Texts& names) {
  Texts patterns;
  for (const StreamRecord& record : input.records) {
    if (record.meta.batches.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const std::string folder, [&]() -> Result<std::string> {
      std::error_code error;
      const fs::path path = fs::absolute(record.folder, error);
      if (error) return Status::IOError(record.folder, ": ", error.message());
      return path.lexically_normal().string();
    }());
    patterns.push_back(PatternOf(folder) + "/batch-*.parquet");
  }
  return FromFiles(patterns, input.rdd->schema, names);
}

Result<std::string> AsTable(const InputRecords& input, const Texts& names,
                            const std::string& tables) {
  std::vector<Field> fields = input.rdd->schema;
  for (size_t i = 0; i < fields.size(); ++i) fields[i].name = names[i];
  std::error_code error;
  fs::create_directories(tables, error);
  if (error) return Status::IOError(tables, ": ", error.message());
  const fs::path path =
      fs::absolute(fs::path(tables) / (StreamName(input.rdd->stream) + ".parquet"));
  if (fs::exists(path, error)) {
    return Status::Invalid(path.string(), " exists already; name another folder for the tables");
  }
  ARROW_ASSIGN_OR_RAISE(const auto schema, ToArrowSchema(fields));
  ARROW_ASSIGN_OR_RAISE(const auto file, OutputFile::Create(path.string(), fields));
  for (const StreamRecord& record : input.records) {
    ARROW_ASSIGN_OR_RAISE(const auto batches, ReadBatches(record, arrow::default_memory_pool()));
    for (const auto& batch : batches) {
      RETURN_NOT_OK(
          file->Write(*arrow::RecordBatch::Make(schema, batch->num_rows(), batch->columns())));
    }
  }
  RETURN_NOT_OK(file->Close());
  return FromFiles({PatternOf(path.lexically_normal().string())}, fields, names);
}

// Why SQL cannot read the stream's files; "" where it can.
std::string WhyNotAsTheyLie(const std::vector<Field>& fields, const Texts& names) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name != names[i]) return "more than one column is called " + fields[i].name;
    if (fields[i].type.is(TypeKind::kOther)) {
      return fmt::format("column {} lies there as bytes of Spark's rows ({})", fields[i].name,
                         fields[i].type.ToString());
    }
  }
  return "";
}

Result<std::string> RelationOf(const InputRecords& input, const Texts& names,
                               const DumpSqlOptions& options, const std::string& folder) {
  const int64_t rows = RowsOf(input);
  if (input.rdd->schema.empty()) {
    return fmt::format("SELECT id AS row_number FROM range({})", rows);
  }
  if (rows <= options.values_max) return AsValues(input, names);
  const std::string why = WhyNotAsTheyLie(input.rdd->schema, names);
  if (why.empty()) return AsTheyLie(input, names);
  if (!options.tables.empty()) return AsTable(input, names, options.tables);
  return Status::Invalid(folder, ": SQL cannot read the files of ", StreamName(input.rdd->stream),
                         ": ", why,
                         "; --tables FOLDER writes them as SQL reads them, and --values ", rows,
                         " has its ", Counted(rows, "row", "rows"), " as literals");
}

}  // namespace

Result<std::string> SqlOfDump(const OperatorDump& dump, const DumpSqlOptions& options) {
  const PlanMeta& plan = dump.plan();
  std::vector<SqlInput> inputs;
  std::vector<Texts> names;
  for (const auto& rdd : dump.inputs()) {
    names.push_back(DistinctNames(rdd->schema));
    SqlInput& input = inputs.emplace_back(SqlInput{StreamName(rdd->stream), {}});
    std::ranges::replace(input.name, '-', '_');
    for (const std::string& name : names.back()) input.columns.push_back(SqlName(name));
  }
  const auto statement = SqlOfOperator(plan.spec, inputs);
  if (!statement.ok()) {
    return statement.status().WithMessage(dump.folder(), ": ", plan.spec.name,
                                          " cannot be said in SQL: ", statement.status().message(),
                                          ". reprise replay ", dump.folder(),
                                          " runs it again, and the ",
                                          "operators above and below it can be dumped as well");
  }
  std::string text = fmt::format("-- {}, LORE id {}, {}, fingerprint {}", plan.spec.name,
                                 plan.spec.lore_id, plan.spec.occurrence, plan.spec.fingerprint);
  std::vector<InputRecords> records;
  if (plan.streams_apart) {
    ARROW_ASSIGN_OR_RAISE(records, RecordsOfAll(dump));
  } else {
    ARROW_ASSIGN_OR_RAISE(const int partition, PartitionOf(dump, options.partition));
    ARROW_ASSIGN_OR_RAISE(records, RecordsOf(dump, partition));
    text += fmt::format(", partition {} of {}", partition, plan.partition_count);
  }
  Texts relations;
  for (size_t i = 0; i < records.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const std::string relation,
                          RelationOf(records[i], names[i], options, dump.folder()));
    relations.push_back(fmt::format("{} AS (\n  {}\n)", inputs[i].name, relation));
  }
  return fmt::format("{}\n{}WITH {}\n{};\n", text, SettingsText(plan.conf),
                     fmt::join(relations, ", "), *statement);
}

}  // namespace reprise
