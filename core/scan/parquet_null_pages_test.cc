#include "scan/parquet_null_pages.h"

#include <arrow/buffer.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace reprise {
namespace {

using Levels = std::vector<uint8_t>;

parquet::ColumnDescriptor ColumnOf(parquet::Repetition::type repetition, int16_t level) {
  return {parquet::schema::PrimitiveNode::Make("c", repetition, parquet::Type::INT32), level, 0};
}

bool V1MayHaveNulls(const Levels& levels, int32_t rows,
                    parquet::Encoding::type encoding = parquet::Encoding::RLE) {
  std::string data = {static_cast<char>(levels.size()), 0, 0, 0};
  data.append(levels.begin(), levels.end());
  const parquet::DataPageV1 page(arrow::Buffer::FromString(data + "values"), rows,
                                 parquet::Encoding::PLAIN, encoding, parquet::Encoding::RLE, 100);
  return MayHaveNulls(page, ColumnOf(parquet::Repetition::OPTIONAL, 1));
}

bool V2MayHaveNulls(const Levels& levels, int32_t rows, int32_t length) {
  std::string data(levels.begin(), levels.end());
  const parquet::DataPageV2 page(arrow::Buffer::FromString(data), rows, /*num_nulls=*/0, rows,
                                 parquet::Encoding::PLAIN, length, 0, 100);
  return MayHaveNulls(page, ColumnOf(parquet::Repetition::OPTIONAL, 1));
}

TEST(NullPagesTest, OneRunOfOnesHasNoNulls) {
  EXPECT_FALSE(V1MayHaveNulls({0xC8, 1, 1}, 100));
  EXPECT_FALSE(V1MayHaveNulls({9 << 1, 1}, 9));
  EXPECT_FALSE(V1MayHaveNulls({9 << 1, 1, 3 << 1, 0}, 9));  // what follows is of no row
  EXPECT_FALSE(V2MayHaveNulls({9 << 1, 1, 'v'}, 9, 2));
}

TEST(NullPagesTest, AllElseMayHaveNulls) {
  EXPECT_TRUE(V1MayHaveNulls({9 << 1, 0}, 9));
  EXPECT_TRUE(V1MayHaveNulls({9 << 1, 1}, 10));
  EXPECT_TRUE(V1MayHaveNulls({1 << 1 | 1, 0xFF}, 8));  // bit-packed: not looked at
  EXPECT_TRUE(V1MayHaveNulls({9 << 1, 1}, 9, parquet::Encoding::BIT_PACKED));
  EXPECT_TRUE(V2MayHaveNulls({9 << 1, 0, 'v'}, 9, 2));
}

TEST(NullPagesTest, CutLevelsMayHaveNulls) {
  EXPECT_TRUE(V1MayHaveNulls({}, 9));
  EXPECT_TRUE(V1MayHaveNulls({9 << 1}, 9));
  EXPECT_TRUE(V1MayHaveNulls({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 1}, 9));
  EXPECT_TRUE(V2MayHaveNulls({9 << 1, 1}, 9, 100));
  EXPECT_TRUE(V2MayHaveNulls({9 << 1, 1}, 9, -1));
}

TEST(NullPagesTest, RequiredColumnsHaveNoNulls) {
  const parquet::DataPageV1 page(arrow::Buffer::FromString("values"), 1, parquet::Encoding::PLAIN,
                                 parquet::Encoding::RLE, parquet::Encoding::RLE, 6);
  EXPECT_FALSE(MayHaveNulls(page, ColumnOf(parquet::Repetition::REQUIRED, 0)));
}

}  // namespace
}  // namespace reprise
