// cast among boolean, integers, float and double.
// Integers wrap into narrower ones and floating point saturates at int or long and then wraps, as
// in Java; under ansi whatever does not fit is CAST_OVERFLOW (Spark's Cast, with the bounds of its
// exact numerics).
//   cast([300, null] as tinyint) = [44, null];  cast([NaN, 2.9] as int) = [0, 2]
#include <cmath>
#include <limits>
#include <type_traits>

#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/saturated.h"
#include "expressions/spark_errors.h"
#include "expressions/sql_literals.h"

namespace reprise {

namespace {

template <typename To, typename From>
To Converted(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (sizeof(To) == sizeof(int64_t)) return Saturated<int64_t>(value);
    return static_cast<To>(Saturated<int32_t>(value));
  } else {
    return static_cast<To>(value);
  }
}

// As Spark's ExactNumeric asks: the bound of a long, as a double, is 2^63, which itself passes.
template <typename To, typename From>
bool Fits(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    return true;
  } else if constexpr (std::is_floating_point_v<From>) {
    const double wide = value;
    return std::floor(wide) <= static_cast<double>(std::numeric_limits<To>::max()) &&
           std::ceil(wide) >= static_cast<double>(std::numeric_limits<To>::min());
  } else {
    return value >= std::numeric_limits<To>::min() && value <= std::numeric_limits<To>::max();
  }
}

template <typename To, typename From>
constexpr bool CanOverflow() {
  if constexpr (std::is_floating_point_v<To>) return false;
  if constexpr (std::is_floating_point_v<From>) return true;
  return sizeof(To) < sizeof(From);
}

template <typename To, typename From>
class NumericCast : public NullIntolerant {
 public:
  NumericCast(FunctionCall call, bool ansi)
      : NullIntolerant(call.spec.type, std::move(call.arguments), ansi && CanOverflow<To, From>()),
        checked_(ansi && CanOverflow<To, From>()) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    if (checked_) RETURN_NOT_OK(CheckRange(arguments[0], nulls, row_count));
    ARROW_ASSIGN_OR_RAISE(auto values, VisitValues<From>(arguments[0], [&](auto rows) {
                            return AllRowsOf<To>(row_count, pool, [=](int64_t row) {
                              return Converted<To, From>(rows[row]);
                            });
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }

 private:
  Status CheckRange(const Column& column, const Nulls& nulls, int64_t row_count) const {
    const AnyValues<From> values(column);
    for (int64_t row = 0; row < row_count; ++row) {
      if (Fits<To, From>(values[row]) || !nulls.IsValid(row)) continue;
      const DataType& from = argument(0).type();
      if constexpr (std::is_floating_point_v<From>) {
        return CastOverflow(SqlLiteral(static_cast<double>(values[row]), from), from, type());
      } else {
        return CastOverflow(SqlLiteral(static_cast<int64_t>(values[row]), from), from, type());
      }
    }
    return Status::OK();
  }

  bool checked_;
};

// Any number but 0 is true, NaN too.
template <typename From>
class CastToBoolean : public NullIntolerant {
 public:
  explicit CastToBoolean(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool));
    VisitValues<From>(arguments[0], [&](auto rows) {
      WriteBits(row_count, bits->mutable_data(),
                [=](int64_t row) -> uint8_t { return rows[row] != From(0); });
    });
    return ToArray(std::move(bits), nulls, row_count);
  }
};

template <typename To>
class CastFromBoolean : public NullIntolerant {
 public:
  explicit CastFromBoolean(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(
        auto values, VisitBooleans(arguments[0], [&](auto rows) {
          return AllRowsOf<To>(row_count, pool, [=](int64_t row) { return To(rows[row] ? 1 : 0); });
        }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

Status NotNumeric(const DataType& from, const DataType& to) {
  return Status::NotImplemented("cast of ", from.ToString(), " to ", to.ToString());
}

}  // namespace

MadeExpression MakeNumericCast(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const DataType from = call.arguments[0]->type();
  const DataType to = call.spec.type;
  if (from.is(TypeKind::kBoolean)) {
    return VisitStorage(to, [&]<typename To>() -> MadeExpression {
      if constexpr (!std::is_arithmetic_v<To>) return NotNumeric(from, to);
      if constexpr (std::is_arithmetic_v<To>) {
        return std::make_unique<CastFromBoolean<To>>(std::move(call));
      }
    });
  }
  return VisitStorage(from, [&]<typename From>() -> MadeExpression {
    if constexpr (!std::is_arithmetic_v<From>) {
      return NotNumeric(from, to);
    } else {
      if (to.is(TypeKind::kBoolean)) return std::make_unique<CastToBoolean<From>>(std::move(call));
      return VisitStorage(to, [&]<typename To>() -> MadeExpression {
        if constexpr (!std::is_arithmetic_v<To>) return NotNumeric(from, to);
        if constexpr (std::is_arithmetic_v<To>) {
          return std::make_unique<NumericCast<To, From>>(std::move(call), ansi);
        }
      });
    }
  });
}

}  // namespace reprise
