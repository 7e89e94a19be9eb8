// FileSourceScanExec over CSVFileFormat -> csv_scan: reads the file splits that Spark gives to each
// task.
//
// Output:  beside what all text has: {"positions":[INT…],"width":INT,"separator":…,"quote":…,
//          "escape":…,"header":bool,"nullValue":…,"emptyValue":…}
// Example: of (a int, b string) a scan of b  ->  {"columns":[b],"positions":[1],"width":2,…}
#include <algorithm>

#include "rules/source_options.h"
#include "rules/text_rule.h"

namespace reprise {

namespace {

constexpr NamedValue kDefaults[] = {
    {"charToEscapeQuoteEscaping", ""},
    {"columnPruning", "true"},
    {"comment", ""},
    {"enforceSchema", "true"},
    {"ignoreLeadingWhiteSpace", "false"},
    {"ignoreTrailingWhiteSpace", "false"},
    {"maxCharsPerColumn", "-1"},
    {"maxColumns", "20480"},
    {"nanValue", "NaN"},
    {"negativeInf", "-Inf"},
    {"positiveInf", "Inf"},
};

class CsvTranslation final : public TextTranslation {
 public:
  explicit CsvTranslation(const OperatorQuestion& question)
      : TextTranslation(question, kCsvScanKind, kDefaults, {}) {}

 private:
  void CheckFormat() override {
    if (!question().config.spark_boolean("spark.sql.csv.parser.columnPruning.enabled", true)) {
      Refuse("spark.sql.csv.parser.columnPruning.enabled=false is not supported natively");
    }
    const bool has_sep = FindOption(options(), "sep") != nullptr;
    const std::string_view separator_name = has_sep ? "sep" : "delimiter";
    // Spark's CSVExprUtils.toDelimiterStr reads escapes.
    separator_ = Option(separator_name, ",") == "\\t" ? "\t" : ByteOption(separator_name, ",");
    quote_ = ByteOption("quote", "\"");
    escape_ = ByteOption("escape", "\\");
    const bool ends_lines = separator_ == "\r" || separator_ == "\n";
    if (separator_.empty() || separator_ == "\\" || separator_ == quote_ || separator_ == escape_ ||
        ends_lines) {
      Refuse(fmt::format("option {} is \"{}\", which is not supported natively", separator_name,
                         separator_));
    }
    for (const std::string_view in_line : {separator_, quote_, escape_}) {
      if (in_line.empty() || Option("lineSep", "").find(in_line) == std::string_view::npos)
        continue;
      Refuse(fmt::format("option lineSep has \"{}\", which has a meaning within lines", in_line));
    }
  }

  void WriteFormat(NativeOperator* native) const override {
    const auto& fields = file_schema().fields;
    auto positions = nlohmann::json::array();
    for (const StructField& read : columns().fields) {
      positions.push_back(std::ranges::find(fields, read.name, &StructField::name) -
                          fields.begin());
    }
    native->arguments["positions"] = std::move(positions);
    native->arguments["width"] = fields.size();
    native->arguments["separator"] = separator_;
    native->arguments["quote"] = quote_;
    native->arguments["escape"] = escape_;
    native->arguments["header"] = EqualIgnoringCase(Option("header", "false"), "true");
    native->arguments["nullValue"] = Option("nullValue", "");
    native->arguments["emptyValue"] = Option("emptyValue", "");
  }

  /// One byte or none.
  std::string ByteOption(std::string_view name, std::string_view otherwise) {
    const std::string_view text = Option(name, otherwise);
    const bool is_byte = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80;
    if (!is_byte && !text.empty()) {
      Refuse(fmt::format("option {} is \"{}\", which is more than one byte", name, text));
    }
    return std::string(text);
  }

  std::string separator_;
  std::string quote_;
  std::string escape_;
};

}  // namespace

Judgement JudgeCsvScan(const OperatorQuestion& question) { return CsvTranslation(question).Run(); }

}  // namespace reprise
