// The errors that Spark raises under ANSI, with Spark 4.1.3's conditions and parameters
// (QueryExecutionErrors).
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

/// ARITHMETIC_OVERFLOW of int and long; `try_function` names what to use instead, or is empty.
Status ArithmeticOverflow(std::string_view message, std::string_view try_function);

/// BINARY_ARITHMETIC_OVERFLOW of byte and short. Spark shows both operands as shorts.
Status BinaryArithmeticOverflow(int left, std::string_view symbol, int right,
                                std::string_view try_function);

Status DivideByZero();
/// INVALID_ARRAY_INDEX: an array of `count` elements has none at `index`.
Status InvalidArrayIndex(int32_t index, int64_t count);
/// The same of element_at, which counts from 1: INVALID_ARRAY_INDEX_IN_ELEMENT_AT.
Status InvalidIndexInElementAt(int32_t index, int64_t count);
/// INVALID_INDEX_OF_ZERO: there is no element 0 where they are counted from 1.
Status InvalidIndexOfZero();
Status RemainderByZero();

/// NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION; `value` is the exact value in plain notation.
Status NumericValueOutOfRange(std::string_view value, int precision, int scale);

/// NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION, with ansi off too: `rounded` in plain notation,
/// `original` as BigDecimal.toString.
Status RoundedValueOutOfRange(std::string_view rounded, std::string_view original, int precision,
                              int scale);

/// CAST_OVERFLOW; `value` as Spark writes it in SQL: 128, 128L, 300S, 128.50BD, 2.0E9D.
Status CastOverflow(std::string_view value, const DataType& from, const DataType& to);

/// CAST_INVALID_INPUT of a string.
Status CastInvalidInput(std::string_view value, const DataType& to);

/// Java's ArithmeticException("Division impossible"), which Spark lets pass, with ANSI off too: the
/// integral quotient of two decimals has more than the 39 digits of Decimal's MathContext.
Status DivisionImpossible();

/// Java's ArithmeticException("long overflow"), which Spark lets pass, with ANSI off too: a time
/// beyond the microseconds that a long counts.
Status LongOverflow();

}  // namespace reprise
