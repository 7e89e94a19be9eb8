// WriteFilesExec -> parquet_write: the task's part of a write of Parquet files.
//
// Input:   WriteFilesExec's `fileFormat`, `bucketSpec` and `partitionColumns`; `codec` and
//          `hadoop`, which the plug-in adds: the codec that Spark has chosen, and the settings of
//          parquet-mr ("parquet.page.size" is "page.size" among them) as the write's tasks see
//          them.
// Output:  the arguments of operators/parquet_write.h; what is known only when the write begins
//          (names, partition columns, the footer's keys) is {"write":{"runtime":0}}.
// Example: WriteFiles of Parquet  ->  {"codec":"SNAPPY","rowGroupBytes":134217728,…}
#include <algorithm>
#include <charconv>
#include <limits>

#include "plan/field_ids.h"
#include "rules/class_names.h"
#include "rules/operator_table.h"
#include "rules/operator_translation.h"
#include "vocabulary/written_files.h"

namespace reprise {

namespace {

/// Settings of parquet-mr's writer, below "parquet.", that change what is in a file and that are
/// not followed: they, and those that begin with them, must not be set. A '#' begins a setting of
/// one column.
constexpr std::string_view kNotFollowed[] = {
    "bloom.filter.adaptive.enabled",
    "bloom.filter.candidates.number",
    "crypto.",
    "encryption.",
    "column.statistics.enabled",
    "size.statistics.enabled",
    "statistics.truncate.length",
    "columnindex.truncate.length",
    "block.row.count.limit",
    "page.value.count.threshold",
    "enable.bytestreamsplit",
    "enable.dictionary#",
    "compression#",
    "write.support.class",
};

constexpr SparkKey kLegacyFormat = "spark.sql.parquet.writeLegacyFormat";

std::string_view TextOf(const PlanValue* value) { return value == nullptr ? "" : value->text; }

using Json = nlohmann::json;

class WriteTranslation {
 public:
  explicit WriteTranslation(const OperatorQuestion& question)
      : node_(question.node), config_(question.config), translation_(question) {}

  Judgement Run() {
    if (!translation_.ok()) return translation_.Take();
    CheckFormat();
    CheckColumns();
    CheckModes();
    if (translation_.ok()) CheckHadoop();
    if (translation_.ok()) Write();
    return translation_.Take();
  }

 private:
  void Refuse(std::string reason) { translation_.judgement().reasons.push_back(std::move(reason)); }

  void CheckFormat() {
    const std::string_view format = TextOf(node_.argument("fileFormat"));
    if (format != kParquetFormat) {
      Refuse(fmt::format("file format {} is not written natively", ShortClassName(format)));
    }
    const bool is_divided = IsPartitioned() || IsBucketed();
    if (config_.spark("spark.sql.maxConcurrentOutputFileWriters", "0") != "0" && is_divided) {
      Refuse(
          "several files are open at once (spark.sql.maxConcurrentOutputFileWriters), which is "
          "not supported natively");
    }
  }

  bool IsBucketed() const {
    const PlanValue* buckets = node_.argument("bucketSpec");
    return buckets != nullptr && !buckets->is_null();
  }
  bool IsPartitioned() const {
    const PlanValue* columns = node_.argument("partitionColumns");
    return columns != nullptr && !columns->items.empty();
  }

  void CheckColumns() {
    for (const Field& field : translation_.input().fields()) {
      if (IsBucketed() && !IsHashable(field.type)) {
        Refuse(fmt::format("column {} of type {} is not hashed natively, and there are buckets",
                           field.name, TypeText(field.type)));
      }
      if (!IsWritten(field.type)) {
        Refuse(fmt::format("column {} of type {} is not written natively", field.name,
                           TypeText(field.type)));
      } else if (WrittenKind(field.type) == TypeKind::kOther) {
        CheckNested(field);
      }
    }
  }

  void CheckNested(const Field& field) {
    if (!AreKnownFieldIds(Json::parse(field.type.text, nullptr, /*allow_exceptions=*/false))) {
      Refuse(fmt::format("column {} has a field id within that is no integer from 0 to {}",
                         field.name, std::numeric_limits<int32_t>::max()));
    }
    if (IsLegacy()) {
      Refuse(fmt::format("column {} of type {} is not written natively in the old format ({})",
                         field.name, TypeText(field.type), kLegacyFormat.text()));
    }
  }
  bool IsLegacy() const { return config_.spark_boolean(kLegacyFormat, false); }

  void CheckModes() {
    CheckMode("spark.sql.parquet.datetimeRebaseModeInWrite");
    CheckMode("spark.sql.parquet.int96RebaseModeInWrite");
  }
  void CheckMode(SparkKey key) {
    const std::string_view mode = config_.spark(key, "CORRECTED");
    if (mode == "CORRECTED") return;
    Refuse(fmt::format("{}={} is not supported natively", key.text(), mode));
  }

  void CheckHadoop() {
    hadoop_ = node_.argument("hadoop");
    if (hadoop_ == nullptr || !hadoop_->is(PlanValue::Kind::kMap)) {
      return Refuse("the settings of Parquet's writer are not known");
    }
    for (size_t i = 0; i + 1 < hadoop_->items.size(); i += 2) {
      const std::string_view name = hadoop_->items[i].text;
      const bool is_refused = std::ranges::any_of(
          kNotFollowed, [&](std::string_view prefix) { return name.starts_with(prefix); });
      if (is_refused) Refuse(fmt::format("parquet.{} is not supported natively", name));
    }
    const std::string_view version = Hadoop("writer.version", "PARQUET_1_0");
    if (version != "PARQUET_1_0" && version != "v1") {
      Refuse(fmt::format("parquet.writer.version={} is not supported natively", version));
    }
    const std::string_view codec = TextOf(node_.argument("codec"));
    const auto codecs = WrittenCodecs();
    if (std::ranges::find(codecs, codec) == codecs.end())
      Refuse(fmt::format("codec {} is not written natively", codec));
  }

  std::string_view Hadoop(std::string_view name, std::string_view otherwise) const {
    for (size_t i = 0; i + 1 < hadoop_->items.size(); i += 2) {
      if (hadoop_->items[i].text == name) return hadoop_->items[i + 1].text;
    }
    return otherwise;
  }

  /// An integer that parquet-mr would take; others it refuses itself.
  int64_t Number(std::string_view name, int64_t otherwise, int64_t least) {
    const std::string_view text = Hadoop(name, "");
    if (text.empty()) return otherwise;
    const auto value = NumberOf<int64_t>(text, otherwise);
    if (value && *value >= least) return *value;
    Refuse(fmt::format("parquet.{}={} is not a number that is followed natively", name, text));
    return otherwise;
  }

  /// As Hadoop's Configuration reads it.
  bool Flag(std::string_view name) {
    const std::string_view text = Hadoop(name, "true");
    if (text != "true" && text != "false") {
      Refuse(fmt::format("parquet.{}={} is neither true nor false", name, text));
    }
    return text == "true";
  }

  /// Of a column, or of all that have no settings of their own.
  Json BloomFilterOf(std::string_view column) {
    const auto setting = [&](std::string_view name) {
      const std::string_view of_all = Hadoop(name, "");
      return column.empty() ? of_all : Hadoop(fmt::format("{}#{}", name, column), of_all);
    };
    const std::string_view enabled = setting("bloom.filter.enabled");
    if (!enabled.empty() && enabled != "true" && enabled != "false") {
      Refuse(fmt::format("parquet.bloom.filter.enabled={} is neither true nor false", enabled));
    }
    const std::string_view distinct = setting("bloom.filter.expected.ndv");
    const auto share = NumberOf<double>(setting("bloom.filter.fpp"), 0.01);
    const auto values = NumberOf<int64_t>(distinct, 0);
    if (!share || !values || *share <= 0 || *share >= 1 || *values < 0) {
      Refuse("parquet.bloom.filter.fpp or parquet.bloom.filter.expected.ndv is no such number");
      return nullptr;
    }
    return {{"enabled", enabled == "true"},
            {"distinctValues", distinct.empty() ? Json() : Json(*values)},
            {"falsePositives", *share}};
  }

  Json BloomFilters() {
    constexpr std::string_view kPrefix = "bloom.filter.";
    Json columns = Json::object();
    for (size_t i = 0; i + 1 < hadoop_->items.size(); i += 2) {
      const std::string_view name = hadoop_->items[i].text;
      const size_t column = name.find('#');
      if (!name.starts_with(kPrefix) || column == name.npos) continue;
      const std::string_view of = name.substr(column + 1);
      columns[std::string(of)] = BloomFilterOf(of);
    }
    return {{"otherwise", BloomFilterOf("")},
            {"columns", std::move(columns)},
            {"bytesMax", Number("bloom.filter.max.bytes", int64_t{1} << 20, 1)}};
  }

  template <typename T>
  static std::optional<T> NumberOf(std::string_view text, T otherwise) {
    if (text.empty()) return otherwise;
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

  void Write() {
    constexpr int64_t kMiB = int64_t{1} << 20;
    NativeOperator& native = translation_.native();
    native.output = native.inputs[0];
    native.arguments = {
        {"codec", TextOf(node_.argument("codec"))},
        {"zstdLevel", Number("compression.codec.zstd.level", 3, 1)},
        {"rowGroupBytes", Number("block.size", 128 * kMiB, 1)},
        {"pageBytes", Number("page.size", kMiB, 1)},
        {"pageRows", Number("page.row.count.limit", 20000, 1)},
        {"dictionary", Flag("enable.dictionary")},
        {"dictionaryPageBytes", Number("dictionary.page.size", kMiB, 1)},
        {"bloomFilters", BloomFilters()},
        {"pageChecksums", Flag("page.write-checksum.enabled")},
        {"timestamps", config_.spark("spark.sql.parquet.outputTimestampType", "INT96")},
        {"legacyDecimals", IsLegacy()},
        {"write", {{"runtime", 0}}}};
    native.arguments_text = fmt::format("Parquet, {}", TextOf(node_.argument("codec")));
  }

  const PlanNode& node_;
  const Config& config_;
  OperatorTranslation translation_;
  const PlanValue* hadoop_ = nullptr;
};

}  // namespace

Judgement JudgeWriteFiles(const OperatorQuestion& question) {
  if (question.is_before_spark_4()) {
    return Refused("Spark before 4.0 lets no other operator write files");
  }
  return WriteTranslation(question).Run();
}

}  // namespace reprise
