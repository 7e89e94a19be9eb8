// make_struct: a struct of values, as Spark's CreateNamedStruct.
// Input: a name and a value for each field. Output: a struct, never null; its bytes are those of a
// row of Spark's.
//   make_struct("a", 7, "b", null) = (7, null)
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "plan/nested_type.h"
#include "transitions/row_encoder.h"

namespace reprise {

namespace {

class MadeStruct final : public Expression {
 public:
  MadeStruct(DataType type, std::vector<std::unique_ptr<Expression>> values)
      : Expression(std::move(type), AnyCanFail(values)), values_(std::move(values)) {
    for (const auto& value : values_) fields_.push_back({"", value->type(), true});
  }

  Result<Column> Evaluate(EvalInput& input) const override {
    Batch fields{nullptr, {}, input.row_count(), nullptr};
    for (const auto& value : values_) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*value, input));
      fields.columns.push_back(std::move(column));
    }
    ARROW_ASSIGN_OR_RAISE(const auto encoder, UnsafeRowEncoder::Make(fields_, input.pool()));
    ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, encoder->Encode(fields));
    const int64_t bytes = rows.offsets[rows.row_count];
    const int64_t offset_bytes = (rows.row_count + int64_t{1}) * int64_t{sizeof(int32_t)};
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offsets,
                          arrow::AllocateBuffer(offset_bytes, input.pool()));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> data,
                          arrow::AllocateBuffer(bytes, input.pool()));
    std::memcpy(offsets->mutable_data(), rows.offsets, static_cast<size_t>(offset_bytes));
    if (bytes > 0) std::memcpy(data->mutable_data(), rows.bytes, static_cast<size_t>(bytes));
    return Column{
        std::make_shared<arrow::BinaryArray>(rows.row_count, std::move(offsets), std::move(data)),
        nullptr};
  }

 private:
  std::vector<std::unique_ptr<Expression>> values_;
  std::vector<Field> fields_;
};

}  // namespace

MadeExpression MakeStruct(FunctionCall call) {
  const auto nested = ParseNestedType(call.spec.type);
  if (!nested || nested->form != NestedType::Form::kStruct ||
      2 * nested->parts.size() != call.arguments.size()) {
    return Status::Invalid("make_struct has ", call.arguments.size(), " arguments for ",
                           call.spec.type.ToString());
  }
  std::vector<std::unique_ptr<Expression>> values;
  for (size_t i = 1; i < call.arguments.size(); i += 2) {
    if (!HoldsPlainly(nested->parts[i / 2], call.arguments[i]->type())) {
      return Status::Invalid("field ", i / 2, " of ", call.spec.type.ToString(), " is given a ",
                             call.arguments[i]->type().ToString());
    }
    values.push_back(std::move(call.arguments[i]));
  }
  return std::make_unique<MadeStruct>(call.spec.type, std::move(values));
}

}  // namespace reprise
