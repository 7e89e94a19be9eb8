// multiply of decimals.
// Input: two decimals of any precision and scale; attribute `ansi`. Output: the specification's
// decimal type. The exact product is rounded half up to its scale; what does not fit is null, or an
// error under ansi (Spark's Multiply, Decimal.toPrecision). Decimal's MathContext keeps 39 digits
// rounded down, which never changes a result that fits 38.
//   multiply(decimal(3,2) 1.25, decimal(2,1) 0.5) = decimal(6,3) 0.625
#include "expressions/decimal_binary.h"
#include "expressions/spark_errors.h"

namespace reprise {

namespace {

// Whether a product of these always fits the result as it is.
bool ProductFits(const DataType& left, const DataType& right, const DataType& result) {
  return result.scale == left.scale + right.scale &&
         result.precision >= left.precision + right.precision;
}

inline bool FitsInt64Cell(int64_t) { return true; }
inline bool FitsInt64Cell(const Int128Cell& value) {
  return value.high == (static_cast<int64_t>(value.low) >> 63);
}

inline int64_t LowWord(int64_t value) { return value; }
inline int64_t LowWord(const Int128Cell& value) { return static_cast<int64_t>(value.low); }

inline unsigned __int128 ToUnsigned(int64_t value) { return static_cast<unsigned __int128>(value); }
inline unsigned __int128 ToUnsigned(const Int128Cell& value) {
  return static_cast<unsigned __int128>(static_cast<Int128>(value));
}

template <typename Values>
bool AllFitInt64(const Values& values, int64_t row_count) {
  uint64_t beyond = 0;
  for (int64_t row = 0; row < row_count; ++row) beyond |= !FitsInt64Cell(values[row]);
  return beyond == 0;
}

class DecimalProduct : public DecimalBinary {
 public:
  DecimalProduct(FunctionCall call, bool ansi, bool always_fits)
      : DecimalBinary(std::move(call), ansi, ansi && !always_fits), always_fits_(always_fits) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(
        auto values,
        VisitDecimals(arguments[0], left_type(), arguments[1], right_type(),
                      [&](auto a, auto b) { return ComputeUnchecked(a, b, row_count, pool); }));
    if (values) return ToArray(std::move(values), nulls, row_count);
    return ComputeRows(
        arguments, nulls, row_count, pool, [this](Int128 a, Int128 b) { return Row(a, b); },
        [this](Int128 a, Int128 b) {
          return NumericValueOutOfRange(TruncatedPlainDecimal(ToInt256(a) * ToInt256(b), scale()),
                                        type().precision, type().scale);
        });
  }

 private:
  int scale() const { return left_type().scale + right_type().scale; }

  // The products where none can overflow, as the types say or the values of this batch; else
  // nothing.
  template <typename A, typename B>
  Result<std::shared_ptr<arrow::Buffer>> ComputeUnchecked(A a, B b, int64_t row_count,
                                                          arrow::MemoryPool* pool) const {
    if (type().is_short_decimal()) {
      if (!always_fits_) return nullptr;
      return AllRowsOf<int64_t>(row_count, pool, [=](int64_t row) {
        return static_cast<int64_t>(static_cast<uint64_t>(LowWord(a[row])) *
                                    static_cast<uint64_t>(LowWord(b[row])));
      });
    }
    // A product of two 64-bit integers is at most 2^126, which is below 10^38.
    const bool full_range = type().precision == kPrecisionMax && type().scale == scale();
    const bool narrow =
        (left_type().is_short_decimal() && right_type().is_short_decimal()) ||
        ((always_fits_ || full_range) && AllFitInt64(a, row_count) && AllFitInt64(b, row_count));
    if (narrow && (always_fits_ || full_range)) {
      return AllRowsOf<Int128Cell>(row_count, pool, [=](int64_t row) {
        return Int128Cell(static_cast<Int128>(LowWord(a[row])) * LowWord(b[row]));
      });
    }
    if (!always_fits_) return nullptr;
    return AllRowsOf<Int128Cell>(row_count, pool, [=](int64_t row) {
      return Int128Cell(static_cast<Int128>(ToUnsigned(a[row]) * ToUnsigned(b[row])));
    });
  }

  std::optional<Int128> Row(Int128 a, Int128 b) const {
    if (FitsInt64(a) && FitsInt64(b)) {
      return Rescale(a * b, scale(), type().scale, type().precision);
    }
    return Rescale(ToInt256(a) * ToInt256(b), scale(), type().scale, type().precision);
  }

  bool always_fits_;
};

}  // namespace

MadeExpression MakeDecimalProduct(FunctionCall call) {
  ARROW_ASSIGN_OR_RAISE(bool ansi, BooleanAttribute(call.spec, "ansi"));
  const bool always_fits =
      ProductFits(call.arguments[0]->type(), call.arguments[1]->type(), call.spec.type);
  return std::make_unique<DecimalProduct>(std::move(call), ansi, always_fits);
}

}  // namespace reprise
