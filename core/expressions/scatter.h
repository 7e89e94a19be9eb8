// Puts values that were computed for some of the rows back in their places.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expressions/expression.h"

namespace reprise {

/// Values for `rows` of a result. Where `dense`, the column has a value for each row of the result
/// and only those at `rows` are taken; else its k-th value is for rows[k].
struct Piece {
  Column column;
  std::span<const int32_t> rows;
  bool dense = false;
};

/// An array of `row_count` rows of `type`: each piece's values at its rows (no row is named twice),
/// null elsewhere. Dictionaries are decoded.
Result<std::shared_ptr<arrow::Array>> Scatter(const DataType& type, std::span<const Piece> pieces,
                                              int64_t row_count, arrow::MemoryPool* pool);

/// Evaluates `expression` for `rows` of `input`: only for them where it can fail, and densely where
/// that is cheaper.
Result<Piece> EvaluatePiece(const Expression& expression, EvalInput& input,
                            std::span<const int32_t> rows);

/// Splits `rows` by a condition evaluated for them (as a Piece of them): those for which it is
/// true, and the others, which are false or null.
struct SplitRows {
  std::vector<int32_t> taken;
  std::vector<int32_t> rest;
};
SplitRows SplitByCondition(const Piece& condition);

/// 0 … row_count-1.
std::vector<int32_t> AllRows(int64_t row_count);

}  // namespace reprise
