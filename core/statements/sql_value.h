// Values as Spark's SQL writes them.
#pragma once

#include <arrow/scalar.h>

#include <string>
#include <string_view>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// `a``b`: a name that is read as it stands.
std::string SqlName(std::string_view name);

/// 'it\'s': a text in quotes, and CAST(X'…' AS string) of bytes that are no UTF-8.
std::string SqlText(std::string_view bytes);

/// An interval of so many microseconds.
std::string SqlOfMicros(int64_t micros);

/// A value of a column in its readable type (transitions/readable_rows.h) as an expression that
/// gives just this value and this type. Status::NotImplemented where Spark's SQL cannot say it.
Result<std::string> SqlOfValue(const arrow::Scalar& value, const DataType& type);

/// The same of a literal of a specification.
Result<std::string> SqlOfLiteral(const ExpressionSpec& literal);

}  // namespace reprise
