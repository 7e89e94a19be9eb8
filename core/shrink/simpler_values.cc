#include "shrink/simpler_values.h"

#include <arrow/type_traits.h>
#include <arrow/util/decimal.h>
#include <arrow/visit_scalar_inline.h>

#include <cmath>

#include "base/check.h"

namespace reprise {

namespace {

using Scalars = std::vector<std::shared_ptr<arrow::Scalar>>;

template <typename Type>
constexpr bool kIsWhole = arrow::is_integer_type<Type>::value || arrow::is_date_type<Type>::value ||
                          arrow::is_timestamp_type<Type>::value;

// 0, and from halfway on ever nearer to `value`, by whole steps.
template <typename Number>
std::vector<Number> Nearer(Number value) {
  std::vector<Number> numbers;
  constexpr Number kOne = 1;
  for (Number away = value; away >= kOne || away + kOne <= 0;
       away = static_cast<Number>(away / 2)) {
    numbers.push_back(static_cast<Number>(value - away));
  }
  return numbers;
}

bool IsInsideCharacter(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

class Simpler {
 public:
  explicit Simpler(Scalars* out) : out_(out) {}

  template <typename Scalar>
  Status Visit(const Scalar& scalar) {
    using Type = typename Scalar::TypeClass;
    if constexpr (std::is_same_v<Type, arrow::BooleanType>) {
      if (scalar.value) Add<Scalar>(scalar, false);
    } else if constexpr (kIsWhole<Type>) {
      using Value = typename Scalar::ValueType;
      for (const Value value : Nearer<Value>(scalar.value)) Add<Scalar>(scalar, value);
    } else if constexpr (std::is_same_v<Type, arrow::FloatType> ||
                         std::is_same_v<Type, arrow::DoubleType>) {
      AddFloats(scalar);
    } else if constexpr (std::is_same_v<Type, arrow::Decimal64Type> ||
                         std::is_same_v<Type, arrow::Decimal128Type>) {
      AddDecimals(scalar);
    } else if constexpr (arrow::is_base_binary_type<Type>::value) {
      AddTexts(scalar);
    }
    return Status::OK();
  }

 private:
  template <typename Scalar, typename Value>
  void Add(const Scalar& like, Value value) {
    out_->push_back(std::make_shared<Scalar>(value, like.type));
  }

  template <typename Scalar>
  void AddFloats(const Scalar& scalar) {
    using Value = typename Scalar::ValueType;
    const Value value = scalar.value;
    if (value == 0 && !std::signbit(value)) return;
    if (const Value whole = std::trunc(value); whole != value || value == 0) {
      Add<Scalar>(scalar, Value{0});
      if (std::isfinite(value) && whole != 0) Add<Scalar>(scalar, whole);
      return;
    }
    if (std::isinf(value)) return Add<Scalar>(scalar, Value{0});
    for (const Value nearer : Nearer<Value>(value)) Add<Scalar>(scalar, std::trunc(nearer));
  }

  template <typename Scalar>
  void AddDecimals(const Scalar& scalar) {
    using Value = typename Scalar::ValueType;
    const Value nought(0);
    for (Value away = scalar.value; away != nought; away = away / Value(2)) {
      Add<Scalar>(scalar, scalar.value - away);
    }
  }

  template <typename Scalar>
  void AddTexts(const Scalar& scalar) {
    const std::string_view text = scalar.view();
    if (text.empty()) return;
    const bool is_text = arrow::is_string(scalar.type->id());
    const auto add = [&](std::string_view part) {
      out_->push_back(
          std::make_shared<Scalar>(arrow::Buffer::FromString(std::string(part)), scalar.type));
    };
    add("");
    for (size_t away = text.size() / 2; away > 0; away /= 2) {
      size_t end = text.size() - away;
      size_t begin = away;
      if (is_text) {
        while (IsInsideCharacter(text, end)) --end;
        while (IsInsideCharacter(text, begin)) ++begin;
      }
      if (end > 0) add(text.substr(0, end));
      if (begin < text.size()) add(text.substr(begin));
    }
  }

  Scalars* out_;
};

// The bytes of Spark's own rows, of which not every one is a value.
bool IsOpaque(const DataType& type) {
  return type.is(TypeKind::kOther) && StoredType(type).is(TypeKind::kBinary);
}

}  // namespace

Scalars SimplerValues(const arrow::Scalar& value, const Field& field) {
  Scalars simpler;
  if (!value.is_valid) return simpler;
  if (field.nullable) simpler.push_back(arrow::MakeNullScalar(value.type));
  if (IsOpaque(field.type)) return simpler;
  Simpler visitor(&simpler);
  // It leaves alone what it does not know.
  REPRISE_CHECK(arrow::VisitScalarInline(value, &visitor).ok(), "a scalar of no type");
  return simpler;
}

}  // namespace reprise
