// cast of strings to integers, dates and binary values.
// Input: one string; attribute `ansi`. Output: the specification's type; text that is none is null,
// or CAST_INVALID_INPUT under ansi (Spark's Cast). A fraction is dropped without ansi and an error
// with it.
//   cast(" 12.7 " as int) = 12 without ansi
#include <arrow/array/util.h>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/parse_text.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

template <typename To, bool kDate>
class FromStringCast : public NullIntolerant {
 public:
  FromStringCast(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi), ansi_(ansi) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (arguments[0].is_scalar()) {
      return Run(Constant<std::string_view>{StringOf(*arguments[0].scalar)}, nulls, row_count,
                 pool);
    }
    ARROW_ASSIGN_OR_RAISE(auto plain, DecodeDictionary(arguments[0].array, pool));
    return Run(StringsOf(*plain), nulls, row_count, pool);
  }

 private:
  template <typename Values>
  Result<std::shared_ptr<arrow::Array>> Run(const Values& rows, const Nulls& nulls,
                                            int64_t row_count, arrow::MemoryPool* pool) const {
    ARROW_ASSIGN_OR_RAISE(auto result,
                          (CheckedRows<To>(
                              nulls, row_count, ansi_, pool,
                              [&](int64_t row, To* out) { return Parse(rows[row], out); },
                              [&](int64_t row) { return CastInvalidInput(rows[row], type()); })));
    return ToArray(std::move(result.values), result.nulls, row_count);
  }

  bool Parse(std::string_view text, To* out) const {
    if constexpr (kDate) {
      const auto days = ParseDate(text);
      if (days) *out = *days;
      return days.has_value();
    } else {
      const auto value = ParseLong(text, /*allow_fraction=*/!ansi_);
      if (!value || *value != static_cast<To>(*value)) return false;
      *out = static_cast<To>(*value);
      return true;
    }
  }

  bool ansi_;
};

class BytesOfString final : public NullIntolerant {
 public:
  explicit BytesOfString(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& /*nulls*/, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const Column& text = arguments[0];
    std::shared_ptr<arrow::Array> plain;
    if (text.is_scalar()) {
      ARROW_ASSIGN_OR_RAISE(plain, arrow::MakeArrayFromScalar(*text.scalar, row_count, pool));
    } else {
      ARROW_ASSIGN_OR_RAISE(plain, DecodeDictionary(text.array, pool));
    }
    return plain->View(arrow_type());
  }
};

}  // namespace

MadeExpression MakeCastFromString(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  switch (call.spec.type.kind) {
    case TypeKind::kBinary:
      return std::make_unique<BytesOfString>(std::move(call));
    case TypeKind::kDate:
      return std::make_unique<FromStringCast<int32_t, true>>(std::move(call), ansi);
    case TypeKind::kByte:
      return std::make_unique<FromStringCast<int8_t, false>>(std::move(call), ansi);
    case TypeKind::kShort:
      return std::make_unique<FromStringCast<int16_t, false>>(std::move(call), ansi);
    case TypeKind::kInteger:
      return std::make_unique<FromStringCast<int32_t, false>>(std::move(call), ansi);
    default:
      return std::make_unique<FromStringCast<int64_t, false>>(std::move(call), ansi);
  }
}

}  // namespace reprise
