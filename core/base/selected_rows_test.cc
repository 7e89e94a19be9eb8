#include "base/selected_rows.h"

#include <arrow/builder.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

std::string Rows(const Batch& batch) {
  auto records = *ToRecordBatch(batch, arrow::default_memory_pool());
  std::string text;
  const auto& column = static_cast<const arrow::Int32Array&>(*records->column(0));
  for (int64_t i = 0; i < column.length(); ++i) text += std::to_string(column.Value(i)) + " ";
  return text;
}

Batch Numbers() {
  const auto schema = arrow::schema({arrow::field("a", arrow::int32())});
  arrow::Int32Builder builder;
  EXPECT_TRUE(builder.AppendValues({10, 11, 12, 13, 14}).ok());
  return Batch{schema, {*builder.Finish()}, 5, nullptr};
}

TEST(SelectedRows, AreCountedWithoutThoseThatAreNotSelected) {
  Batch batch = Numbers();
  EXPECT_EQ(Rows(SelectedRows(batch, 1, 3)), "11 12 ");
  EXPECT_EQ(Rows(SelectedRows(SelectedRows(batch, 1, 5), 1, 3)), "12 13 ");
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{0, 2, 4});
  EXPECT_EQ(Rows(SelectedRows(batch, 1, 3)), "12 14 ");
  EXPECT_EQ(SelectedRows(batch, 2, 2).selected_count(), 0);
}

}  // namespace
}  // namespace reprise
