#include "replay/first_difference.h"

#include <gtest/gtest.h>

#include "dump/sample_dump.h"

namespace reprise {
namespace {

const std::vector<Field> kDoubleAndText = {{"a", {TypeKind::kDouble}}, {"b", {TypeKind::kString}}};

BatchSource Source(const std::vector<std::string>& batches) {
  std::vector<std::shared_ptr<arrow::RecordBatch>> records;
  for (const auto& rows : batches) records.push_back(BatchOf(kDoubleAndText, rows));
  return [records, next = size_t{0}]() mutable -> Result<std::shared_ptr<arrow::RecordBatch>> {
    return next < records.size() ? records[next++] : nullptr;
  };
}

std::optional<FirstDifference> Find(const std::vector<std::string>& recorded,
                                    const std::vector<std::string>& replayed,
                                    int64_t rows_max = INT64_MAX) {
  return FindFirstDifference(Source(recorded), Source(replayed), rows_max,
                             arrow::default_memory_pool())
      .ValueOrDie();
}

TEST(FirstDifference, BatchBoundariesDoNotCount) {
  EXPECT_FALSE(Find({R"([[1,"x"],[2,"y"]])", "[]", R"([[NaN,null]])"},
                    {R"([[1,"x"]])", R"([[2,"y"],[NaN,null]])"}));
  EXPECT_FALSE(Find({}, {"[]"}));
}

TEST(FirstDifference, NamesRowColumnAndValues) {
  const auto difference = Find({R"([[1,"x"],[2,"y"],[3,"z"],[4,"z"]])"},
                               {R"([[1,"x"]])", R"([[2,"y"],[3,"!"],[5,"z"]])"});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->row, 2);
  EXPECT_EQ(difference->column, 1);
  EXPECT_EQ(difference->recorded, "z");
  EXPECT_EQ(difference->replayed, "!");
}

TEST(FirstDifference, TakesTheEarliestRowOfAllColumns) {
  const auto difference = Find({R"([[1,"x"],[2,"y"],[3,"z"]])"}, {R"([[1,"!"],[2,"y"],[9,"z"]])"});
  EXPECT_EQ(difference->row, 0);
  EXPECT_EQ(difference->column, 1);
}

TEST(FirstDifference, NullAndMinusZeroCount) {
  EXPECT_EQ(Find({R"([[null,"x"]])"}, {R"([[1,"x"]])"})->recorded, "null");
  EXPECT_EQ(Find({R"([[0.0,"x"]])"}, {R"([[-0.0,"x"]])"})->replayed, "-0");
}

TEST(FirstDifference, BytesThatAreNoTextAreShownByTheirDigits) {
  const auto one = [](const std::string& value) {
    arrow::BinaryBuilder builder;
    EXPECT_TRUE(builder.Append(value).ok());
    return arrow::RecordBatch::Make(arrow::schema({arrow::field("b", arrow::binary())}), 1,
                                    {builder.Finish().ValueOrDie()});
  };
  const auto source = [&](const std::string& value) -> BatchSource {
    return [batch = one(value)]() mutable -> Result<std::shared_ptr<arrow::RecordBatch>> {
      return std::exchange(batch, nullptr);
    };
  };
  const auto difference =
      FindFirstDifference(source("é"), source("\xFF\x01"), INT64_MAX, arrow::default_memory_pool())
          .ValueOrDie();
  EXPECT_EQ(difference->recorded, "é");
  EXPECT_EQ(difference->replayed, "0xFF01");
}

TEST(FirstDifference, AStreamThatEndsEarlierHasNoRow) {
  const auto fewer = Find({R"([[1,"x"],[2,"y"]])"}, {R"([[1,"x"]])"});
  EXPECT_EQ(fewer->row, 1);
  EXPECT_FALSE(fewer->column);
  EXPECT_EQ(fewer->recorded, "a row");
  EXPECT_EQ(fewer->replayed, "no row");
  EXPECT_EQ(Find({}, {R"([[1,"x"]])"})->recorded, "no row");
}

TEST(FirstDifference, LooksAtTheRowsAskedForOnly) {
  EXPECT_FALSE(Find({R"([[1,"x"]])"}, {R"([[1,"x"],[2,"y"]])"}, 1));
}

}  // namespace
}  // namespace reprise
