#include "dump/mask.h"

#include <arrow/array/builder_primitive.h>
#include <arrow/record_batch.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace reprise {
namespace {

/// The column's values masked.
std::shared_ptr<arrow::Array> MaskedColumn(const char* kind, const DataType& type,
                                           std::shared_ptr<arrow::Array> values) {
  auto mask = Mask::Make({{"v", kind}}, "a secret", {Field{"v", type, true}});
  EXPECT_TRUE(mask.ok()) << mask.status();
  const int64_t rows = values->length();
  const auto schema = arrow::schema({arrow::field("v", values->type())});
  const Batch batch = ToBatch(arrow::RecordBatch::Make(schema, rows, {std::move(values)}));
  auto masked = mask->Apply(batch, arrow::default_memory_pool());
  EXPECT_TRUE(masked.ok()) << masked.status();
  return masked->columns[0];
}

std::shared_ptr<arrow::Array> HashedColumn(const DataType& type,
                                           std::shared_ptr<arrow::Array> values) {
  return MaskedColumn("hash", type, std::move(values));
}

template <typename Builder, typename T>
void ExpectDistinct(const DataType& type, Builder builder, const std::vector<T>& values) {
  ASSERT_TRUE(builder.AppendValues(values).ok());
  const auto column = *builder.Finish();
  const auto hashed = HashedColumn(type, column);
  const T* out = hashed->data()->template GetValues<T>(1);
  EXPECT_EQ(std::set<T>(out, out + values.size()).size(),
            std::set<T>(values.begin(), values.end()).size());
  EXPECT_NE(std::vector<T>(out, out + values.size()), values);
  const auto again = HashedColumn(type, column);
  EXPECT_TRUE(again->Equals(*hashed));
}

TEST(MaskTest, HashesOfFewValuesStayDistinctAndWithinTheirType) {
  const DataType type = ParseDataType("decimal(2,0)");
  std::vector<int64_t> all;
  for (int64_t value = -99; value <= 99; ++value) all.push_back(value);
  ExpectDistinct(type, arrow::Int64Builder(), all);
  arrow::Int64Builder builder;
  ASSERT_TRUE(builder.AppendValues(all).ok());
  const auto hashed = HashedColumn(type, *builder.Finish());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_LE(std::abs(hashed->data()->GetValues<int64_t>(1)[i]), 99);
  }
}

TEST(MaskTest, HashesOfManyValuesStayDistinct) {
  constexpr int32_t kRows = 20'000;  // of 3.7 million days two of so many hashes would be the same
  std::vector<int32_t> days;
  std::vector<int64_t> instants;
  std::vector<float> floats;
  for (int32_t i = 0; i < kRows; ++i) {
    days.push_back(i);
    instants.push_back(i);
    floats.push_back(static_cast<float>(i) / 7);
  }
  days.insert(days.end(), {std::numeric_limits<int32_t>::min(), 100'000'000, 100'000'001});
  instants.insert(instants.end(),
                  {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()});
  floats.insert(floats.end(), {-1.5F, std::numeric_limits<float>::infinity()});
  ExpectDistinct(ParseDataType("date"), arrow::Date32Builder(), days);
  ExpectDistinct(ParseDataType("timestamp"),
                 arrow::TimestampBuilder(arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"),
                                         arrow::default_memory_pool()),
                 instants);
  ExpectDistinct(ParseDataType("float"), arrow::FloatBuilder(), floats);
}

TEST(MaskTest, ZeroesOfBothSignsAreOneValueAndNansStay) {
  arrow::FloatBuilder builder;
  ASSERT_TRUE(builder.AppendValues({0.0F, -0.0F, std::nanf("")}).ok());
  const auto hashed = HashedColumn(ParseDataType("float"), *builder.Finish());
  const auto* values = hashed->data()->GetValues<float>(1);
  EXPECT_EQ(values[0], values[1]);
  EXPECT_NE(values[0], 0.0F);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(MaskTest, WhatIsShuffledAmongOneOrTwoIsNull) {
  const DataType type{TypeKind::kLong};
  for (const int64_t rows : {1, 2, 3}) {
    arrow::Int64Builder builder;
    for (int64_t i = 0; i < rows; ++i) ASSERT_TRUE(builder.Append(i).ok());
    const auto masked = MaskedColumn("shuffle", type, *builder.Finish());
    EXPECT_EQ(masked->length(), rows);
    EXPECT_EQ(masked->null_count(), rows < 3 ? rows : 0);
  }
}

}  // namespace
}  // namespace reprise
