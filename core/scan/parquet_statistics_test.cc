#include "scan/parquet_statistics.h"

#include <gtest/gtest.h>

#include <limits>

#include "scan/parquet_file.h"
#include "scan/parquet_test_files.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary

const DataType kIntType{TypeKind::kInteger};
const DataType kDoubleType{TypeKind::kDouble};

ColumnRange RangeInFile(const TestColumn& column, const DataType& type,
                        const RebaseModes& rebase = {}) {
  TemporaryFolder folder;
  const std::string path = folder.file("f.parquet");
  WriteParquet(path, {column});
  auto file = ParquetFile::Open(path, arrow::default_memory_pool()).ValueOrDie();
  const auto row_group = file->metadata().RowGroup(0);
  const auto& descriptor = *row_group->schema()->Column(0);
  return RangeOf(*row_group->ColumnChunk(0), descriptor, *ConversionFor(descriptor, type), type,
                 rebase);
}

void ExpectInts(const ColumnRange& range, __int128 min, __int128 max) {
  ASSERT_TRUE(range.min && range.max);
  EXPECT_TRUE(std::get<__int128>(*range.min) == min);
  EXPECT_TRUE(std::get<__int128>(*range.max) == max);
}

TEST(RangeOfTest, ConvertsBoundsToTheTypeAskedFor) {
  using parquet::LogicalType;
  ExpectInts(RangeInFile(Column<parquet::Int32Type>("i", {3, -1, {}}), kIntType), -1, 3);
  ExpectInts(RangeInFile(Column<parquet::Int32Type>("i", {3, -1}, LogicalType::Int(32, false)),
                         {TypeKind::kLong}),
             3, 4294967295);
  ExpectInts(RangeInFile(Column<parquet::Int32Type>("i", {3, -1}, LogicalType::Decimal(5, 2)),
                         Decimal(9, 4)),
             -100, 300);
  ExpectInts(RangeInFile(
                 TextColumn("d", {BigEndian(-7, 1), BigEndian(300, 2)}, LogicalType::Decimal(9, 2)),
                 Decimal(9, 2)),
             -7, 300);
  const auto doubles = RangeInFile(Column<parquet::Int32Type>("i", {3, -1}), kDoubleType);
  EXPECT_EQ(std::get<double>(*doubles.min), -1.0);
  const auto texts = RangeInFile(TextColumn("s", {"b", "a"}), {TypeKind::kString});
  EXPECT_EQ(std::get<std::string>(*texts.max), "b");
}

TEST(RangeOfTest, LeavesOutWhatCannotBeTrusted) {
  const auto narrowed = RangeInFile(Column<parquet::Int32Type>("i", {3, 300}), {TypeKind::kByte});
  EXPECT_FALSE(narrowed.min || narrowed.max);
  const auto dates = Column<parquet::Int32Type>("d", {-200000, 0}, parquet::LogicalType::Date());
  EXPECT_TRUE(RangeInFile(dates, {TypeKind::kDate}).min);
  EXPECT_FALSE(
      RangeInFile(dates, {TypeKind::kDate}, {RebaseMode::kLegacy, RebaseMode::kCorrected}).min);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(RangeInFile(Column<parquet::DoubleType>("d", {nan, nan}), kDoubleType).min);
  EXPECT_TRUE(RangeInFile(Column<parquet::DoubleType>("d", {nan, 1.0}), kDoubleType).may_have_nan);
}

TEST(RangeOfTest, CountsNulls) {
  EXPECT_TRUE(RangeInFile(Column<parquet::Int32Type>("i", {{}, {}}), kIntType).all_null);
  EXPECT_FALSE(RangeInFile(Column<parquet::Int32Type>("i", {1, {}}), kIntType).all_null);
  EXPECT_FALSE(RangeInFile(Column<parquet::Int32Type>("i", {1, {}}), kIntType).no_nulls);
  EXPECT_TRUE(RangeInFile(Column<parquet::Int32Type>("i", {1, 2}), kIntType).no_nulls);
}

}  // namespace
}  // namespace reprise
