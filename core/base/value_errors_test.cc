#include "base/value_errors.h"

#include <arrow/builder.h>
#include <gtest/gtest.h>

#include "base/batch_bounds.h"
#include "base/selected_rows.h"

namespace reprise {
namespace {

// Five rows of two columns; values of rows 1 and 3 could not be computed.
Batch WithErrors() {
  arrow::Int32Builder builder;
  EXPECT_TRUE(builder.AppendValues({10, 11, 12, 13, 14}).ok());
  const std::shared_ptr<arrow::Array> column = *builder.Finish();
  Batch batch{arrow::schema({arrow::field("a", arrow::int32()), arrow::field("b", arrow::int32())}),
              {column, column},
              5,
              nullptr};
  batch.errors = ToBatchErrors(
      {{3, 0, Status::Invalid("d")}, {1, 1, Status::Invalid("b")}, {3, 1, Status::Invalid("e")}});
  return batch;
}

std::shared_ptr<arrow::Buffer> Selection(std::vector<int32_t> rows) {
  return arrow::Buffer::FromVector(std::move(rows));
}

std::string Text(const ValueErrors& errors) {
  std::string text;
  for (const ValueError& error : errors) {
    text += error.status.message() + std::to_string(error.row) + std::to_string(error.column) + " ";
  }
  return text;
}

std::string Text(const std::shared_ptr<const ValueErrors>& errors) {
  return errors == nullptr ? "none" : Text(*errors);
}

TEST(ValueErrors, AreInTheOrderOfTheirRows) {
  EXPECT_EQ(Text(WithErrors().errors), "b11 d30 e31 ");
  EXPECT_EQ(ToBatchErrors({}), nullptr);
}

TEST(ValueErrors, GoWithTheirRows) {
  const Batch batch = WithErrors();
  EXPECT_EQ(Text(SelectedRows(batch, 2, 5).errors), "d10 e11 ");
  EXPECT_EQ(Text(SelectedRows(batch, 4, 5).errors), "none");
  Batch selected = batch;
  selected.selection = Selection({0, 3, 4});
  EXPECT_EQ(Text(ErrorsByPlace(selected)), "d10 e11 ");
  const Batch piece = PieceOf(selected, 1, 2, arrow::default_memory_pool()).ValueOrDie();
  EXPECT_EQ(Text(piece.errors), "d00 e01 ");
}

TEST(ValueErrors, TheFirstIsOfAUsedColumn) {
  const Batch batch = WithErrors();
  const auto first = [](const Batch& rows, int used) {
    const auto error = FirstError(rows, [used](int column) { return column == used; });
    return error ? error->status.message() + std::to_string(error->row) : "none";
  };
  EXPECT_EQ(first(batch, 0), "d3");
  EXPECT_EQ(first(batch, 1), "b1");
  EXPECT_EQ(first(batch, 2), "none");
}

TEST(ValueErrors, ColumnsMoveOrGo) {
  const Batch batch = WithErrors();
  const auto moved = ErrorsOfColumns(*batch.errors, [](int column) { return column - 1; });
  EXPECT_EQ(Text(moved), "b10 e30 ");
}

TEST(ValueErrors, RowsWithoutThem) {
  Batch batch = WithErrors();
  const Batch without = WithoutErrors(batch);
  EXPECT_EQ(without.errors, nullptr);
  ASSERT_EQ(without.selected_count(), 3);
  EXPECT_EQ(without.selected()[1], 2);
  batch.selection = Selection({1, 4});
  EXPECT_EQ(WithoutErrors(batch).selected()[0], 4);
}

}  // namespace
}  // namespace reprise
