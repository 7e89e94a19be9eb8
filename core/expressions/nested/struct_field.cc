// struct_field: a field of a struct, as Spark's GetStructField.
// Input: a struct; attribute "ordinal", from 0 on. Output: the field's type; null where the struct
// is null, or the field.
//   struct_field((7, "a"), ordinal 1) = "a"
#include "expressions/functions.h"
#include "expressions/nested/nested_values.h"
#include "expressions/null_intolerant.h"
#include "expressions/values.h"
#include "transitions/item_column.h"

namespace reprise {

namespace {

class FieldOfStruct final : public Expression {
 public:
  FieldOfStruct(FunctionCall call, int64_t ordinal, int64_t field_count)
      : Expression(call.spec.type, call.arguments[0]->can_fail()),
        argument_(std::move(call.arguments[0])),
        ordinal_(ordinal),
        field_count_(field_count) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const Column structs, argument_->Evaluate(input));
    if (IsNullScalar(structs)) return NullColumn(type());
    const NestedValues values(*structs.array);
    if (HasOneWidth()) {
      const NestedType item = PlainItemType(type());
      ARROW_ASSIGN_OR_RAISE(auto array, VisitStorage(DataType{item.word_kind()}, [&]<typename T>() {
                              return FieldsOfWidth<T>(values, input);
                            }));
      return Column{std::move(array), nullptr};
    }
    ARROW_ASSIGN_OR_RAISE(ItemColumn fields, ItemColumn::Make(type(), input.pool()));
    for (int64_t row = 0; row < input.row_count(); ++row) {
      if (values.IsNull(row)) {
        RETURN_NOT_OK(fields.AppendNull());
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(const NestedItems items, FieldsOf(values[row], field_count_));
      RETURN_NOT_OK(fields.Append(items, ordinal_, kRowWordBytes));
    }
    ARROW_ASSIGN_OR_RAISE(auto array, fields.Finish());
    return Column{std::move(array), nullptr};
  }

 private:
  /// Whether its values stand in the struct's words as they do in a column.
  bool HasOneWidth() const {
    const NestedType item = PlainItemType(type());
    return item.stored != TypeKind::kNull && item.stored != TypeKind::kBoolean &&
           item.stored != TypeKind::kString && item.stored != TypeKind::kBinary &&
           !item.is_long_decimal;
  }

  template <typename T>
  Result<std::shared_ptr<arrow::Array>> FieldsOfWidth(const NestedValues& values,
                                                      EvalInput& input) const {
    const int64_t rows = input.row_count();
    ARROW_ASSIGN_OR_RAISE(auto arrow_type, ToArrow(type()));
    ARROW_ASSIGN_OR_RAISE(
        std::shared_ptr<arrow::Buffer> buffer,
        arrow::AllocateBuffer(rows * static_cast<int64_t>(sizeof(T)), input.pool()));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bitmap,
                          arrow::AllocateEmptyBitmap(rows, input.pool()));
    auto* const fields = reinterpret_cast<T*>(buffer->mutable_data());
    const int64_t word = NullBitsBytes(field_count_) + ordinal_ * kRowWordBytes;
    const int64_t least = FixedRowBytes(field_count_);
    int64_t null_count = 0;
    for (int64_t row = 0; row < rows; ++row) {
      const NestedBytes bytes = values.IsNull(row) ? NestedBytes() : values[row];
      if (std::ssize(bytes) < least && !values.IsNull(row)) {
        return FieldsOf(bytes, field_count_).status();
      }
      if (bytes.empty() || NestedBitIsSet(bytes, 0, ordinal_)) {
        fields[row] = T{};
        ++null_count;
        continue;
      }
      fields[row] = LoadAs<T>(bytes.data() + word);
      arrow::bit_util::SetBit(bitmap->mutable_data(), row);
    }
    if (null_count == 0) bitmap = nullptr;
    return arrow::MakeArray(arrow::ArrayData::Make(
        std::move(arrow_type), rows, {std::move(bitmap), std::move(buffer)}, null_count));
  }

  std::unique_ptr<Expression> argument_;
  const int64_t ordinal_;
  const int64_t field_count_;
};

}  // namespace

MadeExpression MakeStructField(FunctionCall call) {
  const auto nested = ParseNestedType(call.arguments[0]->type());
  if (!nested || nested->form != NestedType::Form::kStruct) {
    return Status::NotImplemented("struct_field of ", call.arguments[0]->type().ToString());
  }
  const auto ordinal = call.spec.attributes.find("ordinal");
  const auto count = std::ssize(nested->parts);
  if (ordinal == call.spec.attributes.end() || !ordinal->is_number_integer() ||
      ordinal->get<int64_t>() < 0 || ordinal->get<int64_t>() >= count) {
    return Status::Invalid("struct_field has no attribute \"ordinal\" below ", count);
  }
  const NestedType& part = nested->parts[static_cast<size_t>(ordinal->get<int64_t>())];
  if (!HoldsPlainly(part, call.spec.type)) {
    return Status::Invalid("struct_field gives ", call.spec.type.ToString(),
                           ", the struct's field is of another type");
  }
  const int64_t place = ordinal->get<int64_t>();
  return std::make_unique<FieldOfStruct>(std::move(call), place, count);
}

}  // namespace reprise
