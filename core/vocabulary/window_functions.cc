#include "vocabulary/window_functions.h"

#include <algorithm>

namespace reprise {

namespace {

#define WINDOW "org.apache.spark.sql.catalyst.expressions."

constexpr std::string_view kPlainDefault = "the default is a column or a constant";

constexpr WindowFunctionRow kWindowFunctions[] = {
    {WINDOW "RowNumber", "row_number", ""},   {WINDOW "Rank", "rank", ""},
    {WINDOW "DenseRank", "dense_rank", ""},   {WINDOW "PercentRank", "percent_rank", ""},
    {WINDOW "CumeDist", "cume_dist", ""},     {WINDOW "NTile", "ntile", ""},
    {WINDOW "Lead", "offset", kPlainDefault}, {WINDOW "Lag", "offset", kPlainDefault},
    {WINDOW "NthValue", "nth_value", ""},
};

#undef WINDOW

}  // namespace

std::span<const WindowFunctionRow> WindowFunctionTable() { return kWindowFunctions; }

const WindowFunctionRow* FindWindowFunction(std::string_view class_name) {
  const auto* found =
      std::ranges::find(kWindowFunctions, class_name, &WindowFunctionRow::class_name);
  return found == std::end(kWindowFunctions) ? nullptr : found;
}

}  // namespace reprise
