#include "replay/value_text.h"

#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

std::vector<std::string> TextsOf(const std::shared_ptr<arrow::DataType>& type,
                                 std::string_view json) {
  const auto column = arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
  const auto texts = ValueTexts(*column, arrow::default_memory_pool()).ValueOrDie();
  std::vector<std::string> all;
  for (int64_t i = 0; i < texts->length(); ++i) {
    all.push_back(texts->IsNull(i) ? "NULL" : texts->GetScalar(i).ValueOrDie()->ToString());
  }
  return all;
}

TEST(ValueText, SaysValuesAndNothingOfTypes) {
  const auto numbers = arrow::list(arrow::field("element", arrow::int32()));
  const std::vector<std::string> lists = {"[1, null]", "[]", "NULL"};
  EXPECT_EQ(TextsOf(numbers, "[[1, null], [], null]"), lists);
  EXPECT_EQ(TextsOf(arrow::list(arrow::int32()), "[[1, null], [], null]"), lists);
  const auto map = arrow::map(arrow::utf8(), numbers);
  EXPECT_EQ(TextsOf(map, R"([[["a", [1]], ["b", null]]])")[0], R"({"a": [1], "b": null})");
  const auto pair = arrow::struct_(
      {arrow::field("x", arrow::decimal128(5, 2)), arrow::field("y", arrow::list(arrow::utf8()))});
  EXPECT_EQ(TextsOf(pair, R"([{"x": "1.50", "y": ["null", null]}])")[0],
            R"({x: 1.50, y: ["null", null]})");
}

TEST(ValueText, OfASliceStartsWhereTheSliceDoes) {
  const auto column =
      arrow::json::ArrayFromJSONString(arrow::list(arrow::int32()), "[[1], [2], [3]]").ValueOrDie();
  const auto texts = ValueTexts(*column->Slice(1), arrow::default_memory_pool()).ValueOrDie();
  EXPECT_EQ(texts->GetScalar(0).ValueOrDie()->ToString(), "[2]");
}

}  // namespace
}  // namespace reprise
