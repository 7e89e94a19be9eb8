#include "write/written_file.h"

#include <arrow/buffer_builder.h>
#include <arrow/io/memory.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/bloom_filter.h>
#include <parquet/bloom_filter_reader.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>
#include <parquet/page_index.h>
#include <parquet/statistics.h>

#include "exchange/column_testing.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;
using testing::Good;
using testing::Values;

WrittenColumn Column(const std::string& name, const std::string& type, bool nullable = true) {
  return {name, ParseDataType(type), nullable, std::nullopt};
}

std::shared_ptr<const FileLayout> Layout(std::vector<WrittenColumn> columns,
                                         const WriteSettings& settings = {}) {
  return Good(FileLayout::Make(std::move(columns), settings, {{"key", "value"}},
                               arrow::default_memory_pool()));
}

std::unique_ptr<WrittenFile> Open(std::shared_ptr<const FileLayout> layout) {
  return Good(WrittenFile::Open(std::move(layout), arrow::default_memory_pool()));
}

std::unique_ptr<parquet::ParquetFileReader> Read(WrittenFile* file) {
  EXPECT_TRUE(file->Close().ok());
  arrow::BufferBuilder bytes;
  while (const auto piece = file->TakeBytes(1000)) {
    EXPECT_LE(piece->size(), 1000);
    EXPECT_TRUE(bytes.Append(piece->data(), piece->size()).ok());
  }
  return parquet::ParquetFileReader::Open(
      std::make_shared<arrow::io::BufferReader>(Good(bytes.Finish())));
}

template <typename Type>
std::vector<typename Type::c_type> ValuesOf(parquet::ParquetFileReader* reader, int column) {
  std::vector<typename Type::c_type> values(1000);
  std::vector<int16_t> levels(1000);
  const auto chunk = reader->RowGroup(0)->Column(column);
  int64_t count = 0;
  static_cast<parquet::TypedColumnReader<Type>&>(*chunk).ReadBatch(1000, levels.data(), nullptr,
                                                                   values.data(), &count);
  values.resize(static_cast<size_t>(count));
  return values;
}

std::unique_ptr<parquet::ParquetFileReader> Written(const std::string& type,
                                                    const std::string& json,
                                                    const WriteSettings& settings = {}) {
  const auto file = Open(Layout({Column("a", type)}, settings));
  const std::shared_ptr<arrow::Array> columns[] = {Values(type, json)};
  EXPECT_TRUE(file->Write(columns).ok());
  return Read(file.get());
}

TEST(WrittenFileTest, SmallIntegersAreIntsWithALogicalType) {
  const auto reader = Written("byte", "[1, null, -3]");
  const auto& column = *reader->metadata()->schema()->Column(0);
  EXPECT_EQ(column.logical_type()->ToString(), "Int(bitWidth=8, isSigned=true)");
  EXPECT_THAT(ValuesOf<parquet::Int32Type>(reader.get(), 0), ElementsAre(1, -3));
}

TEST(WrittenFileTest, DecimalsAreIntegersOrBytesOfTheLeastLength) {
  const auto ints = Written("decimal(9,2)", R"(["1.25", null, "-0.01"])");
  EXPECT_THAT(ValuesOf<parquet::Int32Type>(ints.get(), 0), ElementsAre(125, -1));
  const auto longs = Written("decimal(18,0)", R"(["-7"])");
  EXPECT_THAT(ValuesOf<parquet::Int64Type>(longs.get(), 0), ElementsAre(-7));
  WriteSettings legacy;
  legacy.legacy_decimals = true;
  const auto bytes = Written("decimal(9,2)", R"(["-0.02"])", legacy);
  EXPECT_EQ(bytes->metadata()->schema()->Column(0)->type_length(), 4);
  const auto wide = Written("decimal(38,0)", R"(["-2"])");
  EXPECT_EQ(wide->metadata()->schema()->Column(0)->type_length(), 16);
  const auto statistics = wide->metadata()->RowGroup(0)->ColumnChunk(0)->statistics();
  EXPECT_EQ(statistics->EncodeMin(), std::string(15, '\xFF') + '\xFE');
}

TEST(WrittenFileTest, InstantsAreOfTheTypeThatIsAskedFor) {
  // Before 1970, a day counts from its own beginning.
  const auto days = Written("timestamp", "[-1]");
  const auto value = ValuesOf<parquet::Int96Type>(days.get(), 0)[0];
  EXPECT_EQ(value.value[2], 2440587u);
  EXPECT_EQ(parquet::Int96GetNanoSeconds(value), -1000);
  WriteSettings settings;
  settings.timestamps = WrittenTimestamps::kMillis;
  const auto millis = Written("timestamp", "[-1, 1999]", settings);
  EXPECT_THAT(ValuesOf<parquet::Int64Type>(millis.get(), 0), ElementsAre(-1, 1));
  settings.timestamps = WrittenTimestamps::kMicros;
  const auto micros = Written("timestamp", "[-1]", settings);
  EXPECT_THAT(ValuesOf<parquet::Int64Type>(micros.get(), 0), ElementsAre(-1));
}

TEST(WrittenFileTest, AnInstantBeyondInt96IsAnError) {
  const auto file = Open(Layout({Column("a", "timestamp")}));
  const std::shared_ptr<arrow::Array> columns[] = {Values("timestamp", "[9223372036854775807]")};
  const Status status = file->Write(columns);
  EXPECT_EQ(status.message(), "long overflow: an instant is too late for INT96");
}

TEST(WrittenFileTest, ANullWhereNoneMayBeIsAnError) {
  const auto file = Open(Layout({Column("a", "long", false)}));
  const std::shared_ptr<arrow::Array> columns[] = {Values("long", "[1, null]")};
  EXPECT_EQ(file->Write(columns).message(), "column a has a null, but was said to have none");
}

TEST(WrittenFileTest, BesideANaNNoBoundsAreTold) {
  const auto file = Open(Layout({Column("a", "double"), Column("b", "double")}));
  const std::shared_ptr<arrow::Array> columns[] = {Values("double", "[1, NaN, null]"),
                                                   Values("double", "[0.0, 2, null]")};
  ASSERT_TRUE(file->Write(columns).ok());
  const auto reader = Read(file.get());
  const auto group = reader->metadata()->RowGroup(0);
  EXPECT_FALSE(group->ColumnChunk(0)->statistics()->HasMinMax());
  EXPECT_EQ(group->ColumnChunk(0)->statistics()->null_count(), 1);
  EXPECT_TRUE(group->ColumnChunk(1)->statistics()->HasMinMax());
  const auto index = reader->GetPageIndexReader()->RowGroup(0);
  EXPECT_EQ(index->GetColumnIndex(0), nullptr);
  EXPECT_NE(index->GetColumnIndex(1), nullptr);
  EXPECT_NE(index->GetOffsetIndex(0), nullptr);
}

TEST(WrittenFileTest, BloomFiltersKnowTheirValues) {
  WriteSettings settings;
  settings.bloom_filters.columns["a"] = {true, 100, 0.01};
  settings.bloom_filters.otherwise.enabled = true;
  const auto file = Open(Layout({Column("a", "long"), Column("b", "boolean")}, settings));
  const std::shared_ptr<arrow::Array> columns[] = {Values("long", "[7, null]"),
                                                   Values("boolean", "[true, null]")};
  ASSERT_TRUE(file->Write(columns).ok());
  const auto reader = Read(file.get());
  const auto filters = reader->GetBloomFilterReader().RowGroup(0);
  const auto filter = filters->GetColumnBloomFilter(0);
  ASSERT_NE(filter, nullptr);
  EXPECT_TRUE(filter->FindHash(filter->Hash(int64_t{7})));
  EXPECT_FALSE(filter->FindHash(filter->Hash(int64_t{8})));
  EXPECT_EQ(filters->GetColumnBloomFilter(1), nullptr);
}

TEST(WrittenFileTest, AFilterOfSoManyBytesHoldsSoManyValues) {
  const int64_t values = DistinctValuesOf(1 << 20, 0.01);
  EXPECT_EQ(parquet::BlockSplitBloomFilter::OptimalNumOfBytes(values, 0.01), 1u << 20);
}

TEST(WrittenFileTest, ARowGroupEndsWhereItIsFull) {
  WriteSettings settings;
  settings.row_group_bytes = 4096;
  settings.dictionary = false;
  settings.codec = "UNCOMPRESSED";
  const auto file = Open(Layout({Column("a", "long")}, settings));
  arrow::Int64Builder builder;
  for (int64_t i = 0; i < 10000; ++i) ASSERT_TRUE(builder.Append(i * 7919).ok());
  const std::shared_ptr<arrow::Array> columns[] = {Good(builder.Finish())};
  ASSERT_TRUE(file->Write(columns).ok());
  EXPECT_EQ(file->rows(), 10000);
  const auto reader = Read(file.get());
  const auto metadata = reader->metadata();
  ASSERT_GE(metadata->num_row_groups(), 10);
  EXPECT_EQ(metadata->num_row_groups(), file->row_groups());
  EXPECT_EQ(metadata->num_rows(), 10000);
  for (int i = 0; i < metadata->num_row_groups(); ++i) {
    EXPECT_LT(metadata->RowGroup(i)->total_byte_size(), 6000);
  }
}

TEST(WrittenFileTest, AFileWithoutRowsTellsItsSchema) {
  const auto reader = Read(Open(Layout({Column("a", "long", false), Column("b", "string")})).get());
  EXPECT_EQ(reader->metadata()->num_row_groups(), 0);
  EXPECT_EQ(reader->metadata()->schema()->ToString(),
            "required group field_id=-1 spark_schema {\n  required int64 field_id=-1 a;\n"
            "  optional binary field_id=-1 b (String);\n}\n");
  EXPECT_EQ(Good(reader->metadata()->key_value_metadata()->Get("key")), "value");
}

TEST(FileLayoutTest, FieldsHaveTheirIdsWhereTheyAreAskedFor) {
  const char* type =
      R"({"type":"struct","fields":[{"name":"x","type":"long","nullable":true,)"
      R"("metadata":{"parquet.field.id":7}},{"name":"y","type":"long","nullable":true,"metadata":{}}]})";
  WriteSettings settings;
  EXPECT_THAT(Layout({Column("a", type)}, settings)->schema.ToString(),
              ::testing::Not(::testing::HasSubstr("field_id=7")));
  settings.field_ids = true;
  const std::string schema = Layout({Column("a", type)}, settings)->schema.ToString();
  EXPECT_THAT(schema, ::testing::HasSubstr("optional int64 field_id=7 x;"));
  EXPECT_THAT(schema, ::testing::HasSubstr("optional int64 field_id=-1 y;"));
}

TEST(FileLayoutTest, RefusesWhatItDoesNotKnow) {
  auto* const pool = arrow::default_memory_pool();
  WriteSettings settings;
  EXPECT_EQ(FileLayout::Make({Column("a", "void")}, settings, {}, pool).status().message(),
            "column a of type void is not written natively");
  settings.codec = "LZO";
  EXPECT_EQ(FileLayout::Make({}, settings, {}, pool).status().message(),
            "codec LZO is not written natively");
}

}  // namespace
}  // namespace reprise
