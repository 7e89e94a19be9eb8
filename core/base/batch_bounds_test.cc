#include "base/batch_bounds.h"

#include <arrow/array/array_dict.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

std::shared_ptr<arrow::Array> Values(const std::shared_ptr<arrow::DataType>& type,
                                     const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

std::shared_ptr<arrow::Array> Encoded(const std::string& codes, const std::string& dictionary) {
  return arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                            Values(arrow::int32(), codes),
                                            Values(arrow::utf8(), dictionary))
      .ValueOrDie();
}

Batch BatchOf(arrow::ArrayVector columns) {
  arrow::FieldVector fields;
  for (const auto& column : columns) fields.push_back(arrow::field("c", column->type()));
  const int64_t rows = columns[0]->length();
  return {arrow::schema(fields), std::move(columns), rows, nullptr};
}

std::vector<int64_t> PieceSizes(const Batch& batch, const BatchBounds& bounds) {
  BatchCutter cutter;
  cutter.Start(batch);
  std::vector<int64_t> sizes;
  while (cutter.has_more()) {
    const Batch piece = cutter.Next(bounds, arrow::default_memory_pool()).ValueOrDie();
    EXPECT_TRUE(IsWithin(piece, bounds));
    sizes.push_back(piece.selected_count());
  }
  return sizes;
}

TEST(RowWidths, CountPlainValues) {
  const arrow::ArrayVector numbers = {Values(arrow::int64(), "[1, 2]"),
                                      Values(arrow::boolean(), "[true, null]"),
                                      Values(arrow::null(), "[null, null]")};
  const RowWidths fixed(numbers);
  EXPECT_TRUE(fixed.is_fixed());
  EXPECT_EQ(fixed[1], 9);
  EXPECT_EQ(fixed.BytesOf(0, 2), 18);
  const arrow::ArrayVector strings = {
      Values(arrow::utf8(), R"(["abc", null, "", "abcdefgh"])")->Slice(1),
      Encoded("[1, null, 0]", R"(["x", "yyyyyyyyyy"])")};
  const RowWidths mixed(strings);
  EXPECT_FALSE(mixed.is_fixed());
  EXPECT_EQ(mixed[0], 4 + 0 + 4 + 10);
  EXPECT_EQ(mixed[2], 4 + 8 + 4 + 1);
  EXPECT_EQ(mixed[-1], 8);
  EXPECT_EQ(mixed.LongestRow(), 8 + 8 + 10);
  EXPECT_GE(mixed.BoundOf(0, 3, 3), mixed.BytesOf(0, 3));
}

TEST(RowWidths, AColumnWithoutRowsHasNone) {
  const arrow::ArrayVector none = {Values(arrow::utf8(), "[]")};
  const RowWidths widths(none);
  EXPECT_EQ(widths.BytesOf(0, 0), 0);
  EXPECT_EQ(widths.LongestRow(), 4);
}

TEST(PlainBytes, CountsTheSelectedRows) {
  Batch batch = BatchOf({Values(arrow::utf8(), R"(["a", "bb", "ccc", "dddd"])")});
  EXPECT_EQ(PlainBytes(batch), 4 * 4 + 10);
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 3});
  EXPECT_EQ(PlainBytes(batch), 2 * 4 + 6);
}

TEST(OwnBytes, OfASliceAreThoseOfItsRows) {
  const auto whole = Values(arrow::int64(), "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]");
  EXPECT_EQ(OwnBytes(*whole->Slice(3, 2)->data()), 2 * 8 + 2);
}

TEST(BatchCutter, CutsByRowsAndByBytes) {
  const Batch numbers = BatchOf({Values(arrow::int64(), "[1, 2, 3, 4, 5]")});
  EXPECT_EQ(PieceSizes(numbers, {2, 1000}), (std::vector<int64_t>{2, 2, 1}));
  EXPECT_EQ(PieceSizes(numbers, {10, 24}), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(PieceSizes(numbers, {10, 40}), (std::vector<int64_t>{5}));
}

TEST(BatchCutter, ALargeValueTravelsAlone) {
  const Batch texts =
      BatchOf({Values(arrow::utf8(), R"(["a", "b", "cccccccccccccccccccccccccccccc", "d", "e"])")});
  EXPECT_EQ(PieceSizes(texts, {10, 20}), (std::vector<int64_t>{2, 1, 2}));
  EXPECT_EQ(PieceSizes(texts, {10, 1}), (std::vector<int64_t>{1, 1, 1, 1, 1}));
}

TEST(BatchCutter, MeasuresDecodedValues) {
  const Batch texts = BatchOf({Encoded("[0, 0, 1, 0]", R"(["aaaaaaaaaaaaaaaa", "b"])")});
  EXPECT_FALSE(IsWithin(texts, {10, 60}));
  EXPECT_EQ(PieceSizes(texts, {10, 40}), (std::vector<int64_t>{2, 2}));
}

TEST(BatchCutter, KeepsToTheSelectedRows) {
  Batch batch = BatchOf({Values(arrow::int64(), "[0, 1, 2, 3, 4, 5, 6, 7]")});
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 4, 5, 7});
  BatchCutter cutter;
  cutter.Start(batch);
  std::vector<int64_t> values;
  while (cutter.has_more()) {
    const Batch piece = cutter.Next({2, 1000}, arrow::default_memory_pool()).ValueOrDie();
    EXPECT_EQ(piece.selected_count(), 2);
    EXPECT_LE(piece.row_count, 4);
    const auto column = GatherColumn(piece, 0, arrow::default_memory_pool()).ValueOrDie();
    for (int64_t i = 0; i < column->length(); ++i) {
      values.push_back(static_cast<const arrow::Int64Array&>(*column).Value(i));
    }
  }
  EXPECT_EQ(values, (std::vector<int64_t>{1, 4, 5, 7}));
}

}  // namespace
}  // namespace reprise
