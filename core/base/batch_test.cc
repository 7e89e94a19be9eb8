#include "base/batch.h"

#include <arrow/array/array_dict.h>
#include <arrow/builder.h>
#include <arrow/util/decimal.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

std::shared_ptr<arrow::Array> Int64s(const std::vector<std::optional<int64_t>>& values) {
  arrow::Int64Builder builder;
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
  }
  return *builder.Finish();
}

std::shared_ptr<arrow::Array> Strings(const std::vector<std::string>& values) {
  arrow::StringBuilder builder;
  EXPECT_TRUE(builder.AppendValues(values).ok());
  return *builder.Finish();
}

std::shared_ptr<arrow::Array> Dictionary(const std::vector<std::optional<int32_t>>& codes,
                                         const std::vector<std::string>& words) {
  arrow::Int32Builder builder;
  for (const auto& code : codes) {
    EXPECT_TRUE((code ? builder.Append(*code) : builder.AppendNull()).ok());
  }
  return *arrow::DictionaryArray::FromArrays(*builder.Finish(), Strings(words));
}

std::shared_ptr<arrow::Array> ShortDecimals(const std::vector<int64_t>& unscaled) {
  arrow::Decimal64Builder builder(arrow::decimal64(15, 2));
  for (const int64_t value : unscaled) EXPECT_TRUE(builder.Append(arrow::Decimal64(value)).ok());
  return *builder.Finish();
}

std::shared_ptr<arrow::Buffer> Selection(const std::vector<int32_t>& rows) {
  return arrow::Buffer::FromVector(rows);
}

Batch ThreeColumns() {
  Batch batch;
  batch.schema = arrow::schema({arrow::field("n", arrow::int64()), arrow::field("s", arrow::utf8()),
                                arrow::field("d", arrow::decimal64(15, 2))});
  batch.columns = {Int64s({10, {}, 30, 40}), Dictionary({0, 1, {}, 0}, {"a", "bb"}),
                   ShortDecimals({-125, 0, 999999999999999, 7})};
  batch.row_count = 4;
  return batch;
}

TEST(Batch, WithoutSelectionGatherIsTheColumnItself) {
  const Batch batch = ThreeColumns();
  EXPECT_EQ(batch.selected_count(), 4);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(*GatherColumn(batch, i, arrow::default_memory_pool()), batch.columns[i]);
  }
}

TEST(Batch, SelectionPicksRowsAndKeepsDictionaries) {
  Batch batch = ThreeColumns();
  batch.selection = Selection({1, 2, 3});
  EXPECT_EQ(batch.selected_count(), 3);
  auto numbers = *GatherColumn(batch, 0, arrow::default_memory_pool());
  EXPECT_TRUE(numbers->Equals(Int64s({{}, 30, 40})));
  auto words = *GatherColumn(batch, 1, arrow::default_memory_pool());
  ASSERT_EQ(words->type_id(), arrow::Type::DICTIONARY);
  EXPECT_TRUE(words->Equals(Dictionary({1, {}, 0}, {"a", "bb"})));
  auto money = *GatherColumn(batch, 2, arrow::default_memory_pool());
  EXPECT_TRUE(money->Equals(ShortDecimals({0, 999999999999999, 7})));
}

TEST(Batch, GatherOfASliceCountsFromItsOffset) {
  auto slice = Int64s({1, 2, 3, 4, 5})->Slice(2);
  const std::vector<int32_t> rows = {0, 2};
  EXPECT_TRUE((*Gather(*slice, rows, arrow::default_memory_pool()))->Equals(Int64s({3, 5})));
}

TEST(Batch, ToRecordBatchIsPlain) {
  Batch batch = ThreeColumns();
  batch.selection = Selection({0, 2});
  auto records = *ToRecordBatch(batch, arrow::default_memory_pool());
  ASSERT_TRUE(records->ValidateFull().ok()) << records->ValidateFull();
  EXPECT_EQ(records->num_rows(), 2);
  EXPECT_EQ(records->column(1)->type_id(), arrow::Type::STRING);
  EXPECT_EQ(records->column(1)->ToString(), "[\n  \"a\",\n  null\n]");
}

TEST(Batch, ZeroColumnsKeepTheirRowCount) {
  Batch batch;
  batch.schema = arrow::schema({});
  batch.row_count = 17;
  EXPECT_EQ((*ToRecordBatch(batch, arrow::default_memory_pool()))->num_rows(), 17);
}

TEST(Batch, BytesCountSharedBuffersOnce) {
  Batch batch;
  auto column = Int64s({1, 2, 3, 4});
  batch.schema =
      arrow::schema({arrow::field("a", arrow::int64()), arrow::field("b", arrow::int64())});
  batch.columns = {column, column};
  batch.row_count = 4;
  int64_t expected = 0;
  for (const auto& buffer : column->data()->buffers) expected += buffer ? buffer->size() : 0;
  EXPECT_EQ(ByteSize(batch), expected);
}

}  // namespace
}  // namespace reprise
