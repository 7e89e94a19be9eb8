#include "statements/unit_test_text.h"

#include <arrow/array/array_binary.h>
#include <arrow/scalar.h>
#include <fmt/format.h>

#include <cmath>

#include "base/batch.h"
#include "plan/replaced_text.h"

namespace reprise {

namespace {

// A text in C++: as it stands between R"json( and )json", which it cannot hold.
std::string Raw(std::string_view text) { return fmt::format("R\"json({})json\"", text); }

std::string Quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c < ' ' || c > '~') {
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "\"sv";
}

std::string FloatingJson(double value, std::string shortest) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "Inf";
  const bool is_whole = shortest.find_first_of(".e") == std::string::npos;
  return is_whole ? shortest + ".0" : shortest;
}

Result<std::string> ValueJson(const arrow::Scalar& value) {
  if (!value.is_valid) return "null";
  switch (value.type->id()) {
    case arrow::Type::BOOL:
      return static_cast<const arrow::BooleanScalar&>(value).value ? "true" : "false";
    case arrow::Type::FLOAT: {
      const float number = static_cast<const arrow::FloatScalar&>(value).value;
      return FloatingJson(number, fmt::format("{}", number));
    }
    case arrow::Type::DOUBLE: {
      const double number = static_cast<const arrow::DoubleScalar&>(value).value;
      return FloatingJson(number, fmt::format("{}", number));
    }
    case arrow::Type::STRING:
      return nlohmann::json(static_cast<const arrow::BaseBinaryScalar&>(value).view()).dump();
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128:
      return '"' + value.ToString() + '"';
    default:
      break;
  }
  ARROW_ASSIGN_OR_RAISE(const auto integer, value.CastTo(arrow::int64()));
  return fmt::format("{}", static_cast<const arrow::Int64Scalar&>(*integer).value);
}

// Whether the column's values are said as bytes: those that are no text, and a text that JSON, or
// the raw string around it, cannot hold.
bool IsOfBytes(const arrow::Array& column) {
  if (column.type_id() == arrow::Type::BINARY) return true;
  if (column.type_id() != arrow::Type::STRING) return false;
  const auto& texts = static_cast<const arrow::StringArray&>(column);
  for (int64_t i = 0; i < texts.length(); ++i) {
    if (texts.IsNull(i)) continue;
    if (!IsUtf8(texts.GetView(i)) || texts.GetView(i).find(")json") != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

Result<std::string> ColumnText(const arrow::Array& column, const DataType& type) {
  const std::string name = JsonName(type);
  const std::string type_text = name.find('"') == std::string::npos ? '"' + name + '"' : Raw(name);
  std::string values;
  const bool is_of_bytes = IsOfBytes(column);
  for (int64_t row = 0; row < column.length(); ++row) {
    ARROW_ASSIGN_OR_RAISE(const auto value, column.GetScalar(row));
    if (row > 0) values += ", ";
    if (!is_of_bytes) {
      ARROW_ASSIGN_OR_RAISE(const std::string json, ValueJson(*value));
      values += json;
    } else {
      values += value->is_valid ? Quoted(static_cast<const arrow::BaseBinaryScalar&>(*value).view())
                                : "std::nullopt";
    }
  }
  return is_of_bytes ? fmt::format("BytesValues({}, {{{}}})", type_text, values)
                     : fmt::format("Values({}, {})", type_text, Raw("[" + values + "]"));
}

// "2, {Values(…), …}": how many rows, and the columns.
Result<std::string> RowsText(const arrow::RecordBatch& batch, const std::vector<Field>& fields) {
  std::string text = fmt::format("{}, {{", batch.num_rows());
  for (int i = 0; i < batch.num_columns(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto column,
                          DecodeDictionary(batch.column(i), arrow::default_memory_pool()));
    ARROW_ASSIGN_OR_RAISE(const std::string column_text,
                          ColumnText(*column, fields[static_cast<size_t>(i)].type));
    text += fmt::format("{}\n      {}", i > 0 ? "," : "", column_text);
  }
  return text + "}";
}

Result<std::string> GivesText(const PlanMeta& plan, const TaskRows& rows) {
  std::string text;
  for (size_t input = 0; input < rows.inputs.size(); ++input) {
    for (const auto& batch : rows.inputs[input]) {
      ARROW_ASSIGN_OR_RAISE(const std::string given, RowsText(*batch, plan.spec.inputs[input]));
      text += fmt::format("  task.Give({}, {});\n", input, given);
    }
  }
  return text;
}

Result<std::string> ExpectedText(const PlanMeta& plan, const TaskRows& rows) {
  if (!rows.output) return Status::Invalid("there is no output to be compared with");
  std::string text = "  std::vector<std::string> expected;\n";
  for (const auto& batch : *rows.output) {
    ARROW_ASSIGN_OR_RAISE(const std::string expected, RowsText(*batch, plan.spec.output));
    text += fmt::format(
        "  for (const std::string& row : RowTexts(*task.Rows({}))) expected.push_back(row);\n",
        expected);
  }
  return text + "  std::ranges::sort(expected);\n  EXPECT_EQ(RowTexts(**output), expected);\n";
}

std::string_view NameOf(CppTestClaim::Kind kind) {
  switch (kind) {
    case CppTestClaim::Kind::kGivesOutput:
      return "GivesWhatSparkGives";
    case CppTestClaim::Kind::kKeepsAssertion:
      return "KeepsTheAssertion";
    default:
      return "DoesNotFail";
  }
}

Result<std::string> ClaimText(const PlanMeta& plan, const TaskRows& rows,
                              const CppTestClaim& claim) {
  if (claim.kind == CppTestClaim::Kind::kGivesOutput) return ExpectedText(plan, rows);
  if (claim.kind != CppTestClaim::Kind::kKeepsAssertion) return "";
  return fmt::format(
      "  EXPECT_EQ(RowsThatFail({}, **output, task.output()), std::vector<std::string>());\n",
      Raw(claim.assertion));
}

}  // namespace

Result<std::string> CppTestOf(const PlanMeta& plan, const TaskRows& rows,
                              const CppTestClaim& claim) {
  const OperatorSpec& spec = plan.spec;
  if (spec.kind == "spark") {
    return Status::NotImplemented(spec.name, " runs on Spark alone, and no unit test runs it");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string gives, GivesText(plan, rows));
  ARROW_ASSIGN_OR_RAISE(const std::string expects, ClaimText(plan, rows, claim));
  return fmt::format(
      "// {}, LORE id {}, {}, fingerprint {}: what reprise shrink has left of a dump.\n"
      "// It fails as the dump does. Among the core's own tests, as core/statements/…_test.cc, it "
      "is\n// built and run with them.\n"
      "#include \"statements/task_testing.h\"\n\n"
      "namespace reprise::testing {{\nnamespace {{\n\n"
      "using std::string_view_literals::operator\"\"sv;\n\n"
      "constexpr char kOperator{}[] = {};\n\n"
      "TEST(LoreId{}, {}) {{\n  DumpedTask task(kOperator{}, {});\n{}"
      "  const auto output = task.Run();\n"
      "  ASSERT_TRUE(output.ok()) << output.status().message();\n{}}}\n\n"
      "}}  // namespace\n}}  // namespace reprise::testing\n",
      spec.name, spec.lore_id, spec.occurrence, spec.fingerprint, spec.lore_id,
      Raw("\n" + ToJson(spec).dump(2) + "\n"), spec.lore_id, NameOf(claim.kind), spec.lore_id,
      rows.header.partition, gives, expects);
}

}  // namespace reprise
