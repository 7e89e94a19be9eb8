#include "operators/asserted_rows.h"

#include <arrow/scalar.h>
#include <fmt/format.h>

#include "expressions/sql_literals.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

constexpr size_t kValueBytesMax = 200;

std::string Shortened(std::string text) {
  const std::string_view first = FirstCharacters(text, kValueBytesMax);
  return first.size() == text.size() ? text : std::string(first) + "…";
}

Result<std::string> ValueText(const Field& field, const std::shared_ptr<arrow::Array>& column,
                              int32_t row) {
  ARROW_ASSIGN_OR_RAISE(auto value, Gather(*column, {&row, 1}, arrow::default_memory_pool()));
  ARROW_ASSIGN_OR_RAISE(value, DecodeDictionary(value, arrow::default_memory_pool()));
  if (value->type_id() == arrow::Type::NA || value->IsNull(0)) return "null";
  // Spark's own bytes, which mean nothing to people.
  if (field.type.is(TypeKind::kOther) && value->type_id() == arrow::Type::BINARY) return "…";
  ARROW_ASSIGN_OR_RAISE(const auto scalar, value->GetScalar(0));
  if (field.type.is(TypeKind::kDouble)) {
    return FloatingText(static_cast<const arrow::DoubleScalar&>(*scalar).value, field.type);
  }
  if (field.type.is(TypeKind::kFloat)) {
    return FloatingText(static_cast<const arrow::FloatScalar&>(*scalar).value, field.type);
  }
  std::string text = Shortened(scalar->ToString());
  return field.type.is(TypeKind::kString) ? "'" + text + "'" : text;
}

}  // namespace

Result<std::string> AssertedRows::RowText(const Batch& batch, int64_t position,
                                          int64_t number) const {
  std::string text = fmt::format("row {}:", number);
  const auto row =
      batch.has_selection() ? batch.selected()[position] : static_cast<int32_t>(position);
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Field& field = columns_[i];
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", field.name, field.type.ToString());
    if (masked_[i]) {
      text += " masked";
      continue;
    }
    ARROW_ASSIGN_OR_RAISE(const std::string value, ValueText(field, batch.columns[i], row));
    text += " = " + value;
  }
  return text;
}

Status AssertedRows::Note(const Batch& batch, int64_t position, int64_t number,
                          const std::string& after) {
  if (++count_ > static_cast<int64_t>(kSampleRows)) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(std::string row, RowText(batch, position, number));
  sample_.push_back(std::move(row));
  if (!after.empty()) sample_.push_back(after);
  return Status::OK();
}

}  // namespace reprise
