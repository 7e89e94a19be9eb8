#include <cmath>
#include <limits>

#include "scan/parquet_calendar.h"
#include "scan/parquet_conversion.h"
#include "scan/parquet_scan_fixture.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary
using ::testing::HasSubstr;

using ParquetNumbersTest = ParquetScanTest;

TEST_F(ParquetNumbersTest, ReadsIntegersWithAndWithoutNulls) {
  ExpectColumn(Ints("i", {1, -2, 3}), {TypeKind::kInteger}, R"(["1","-2","3"])");
  ExpectColumn(Ints("i", {1, {}, 3}), {TypeKind::kInteger}, R"(["1",null,"3"])");
  ExpectColumn(Ints("i", {{}, {}}), {TypeKind::kInteger}, "[null,null]");
  ExpectColumn(Ints("i", {1, {}, 300}), {TypeKind::kByte}, R"(["1",null,"44"])");
  ExpectColumn(Ints("i", {1, {}, 70000}), {TypeKind::kShort}, R"(["1",null,"4464"])");
  ExpectColumn(Longs("l", {1, {}, INT64_MIN}), {TypeKind::kLong},
               R"(["1",null,"-9223372036854775808"])");
}

TEST_F(ParquetNumbersTest, WidensIntegersAndFloats) {
  ExpectColumn(Ints("i", {-1, {}, 5}), {TypeKind::kLong}, R"(["-1",null,"5"])");
  ExpectColumn(Ints("u", {-1, {}, 5}, parquet::LogicalType::Int(32, false)), {TypeKind::kLong},
               R"(["4294967295",null,"5"])");
  ExpectColumn(Ints("i", {-1, {}, 5}), {TypeKind::kDouble}, R"(["-1",null,"5"])");
  ExpectColumn(Longs("u", {-1, {}, 5}, parquet::LogicalType::Int(64, false)), Decimal(20, 0),
               R"(["18446744073709551615",null,"5"])");
  ExpectColumn(Column<parquet::FloatType>("f", {0.5f, {}, -2.0f}), {TypeKind::kFloat},
               R"(["0.5",null,"-2"])");
  ExpectColumn(Column<parquet::FloatType>("f", {0.5f, {}, -2.0f}), {TypeKind::kDouble},
               R"(["0.5",null,"-2"])");
}

// ParquetVectorUpdaterFactory.getUpdater of Spark 3.5.
TEST_F(ParquetNumbersTest, BeforeSpark4NothingIsWidened) {
  const auto read = [](const TestColumn& column, const DataType& requested) {
    const auto schema =
        parquet::schema::GroupNode::Make("root", parquet::Repetition::REQUIRED, {column.node});
    parquet::SchemaDescriptor descriptor;
    descriptor.Init(schema);
    const auto& leaf = *descriptor.Column(0);
    return ConversionFor(leaf, requested) && IsReadBeforeSpark4(leaf, requested);
  };
  using parquet::LogicalType;
  const auto five_two = DecimalAnnotation(5, 2);
  const auto five_two_bytes = FixedColumn("d", {"abc"}, 3, five_two);
  const auto text = TextColumn("d", {"ab"}, DecimalAnnotation(20, 2));
  const auto instants = LogicalType::Timestamp(true, LogicalType::TimeUnit::MICROS);
  const auto local = LogicalType::Timestamp(false, LogicalType::TimeUnit::MICROS);
  for (const DataType& narrow :
       {DataType{TypeKind::kInteger}, DataType{TypeKind::kByte}, DataType{TypeKind::kDate}}) {
    EXPECT_TRUE(read(Ints("i", {1}), narrow)) << narrow.ToString();
  }
  EXPECT_TRUE(read(Ints("u", {1}, LogicalType::Int(32, false)), {TypeKind::kLong}));
  EXPECT_TRUE(read(Longs("u", {1}, LogicalType::Int(64, false)), Decimal(20, 0)));
  EXPECT_TRUE(read(Ints("d", {1}, five_two), Decimal(9, 2)));
  EXPECT_TRUE(read(Longs("d", {1}, five_two), Decimal(18, 2)));
  EXPECT_TRUE(read(text, Decimal(22, 2)));
  EXPECT_TRUE(read(five_two_bytes, Decimal(25, 2)));
  EXPECT_TRUE(read(Longs("t", {1}, local), {TypeKind::kTimestampNtz}));
  EXPECT_TRUE(read(Longs("t", {1}, local), {TypeKind::kTimestamp}));

  EXPECT_FALSE(read(Ints("i", {1}), {TypeKind::kLong}));
  EXPECT_FALSE(read(Ints("i", {1}), {TypeKind::kDouble}));
  EXPECT_FALSE(read(Ints("i", {1}), Decimal(12, 2)));
  EXPECT_FALSE(read(Longs("l", {1}), Decimal(22, 2)));
  EXPECT_FALSE(read(Column<parquet::FloatType>("f", {0.5f}), {TypeKind::kDouble}));
  EXPECT_FALSE(read(Ints("d", {1}, LogicalType::Date()), {TypeKind::kTimestampNtz}));
  EXPECT_FALSE(read(Ints("d", {1}, five_two), Decimal(10, 2)));
  EXPECT_FALSE(read(Longs("d", {1}, five_two), Decimal(19, 2)));
  EXPECT_FALSE(read(TextColumn("d", {"ab"}, five_two), Decimal(5, 2)));
  EXPECT_FALSE(read(five_two_bytes, Decimal(9, 4)));
  EXPECT_FALSE(read(Longs("t", {1}, instants), {TypeKind::kTimestampNtz}));
}

TEST_F(ParquetNumbersTest, KeepsDoublesToTheBit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto output =
      RoundTrip(Column<parquet::DoubleType>("d", {-0.0, nan, {}, 1.5}), {TypeKind::kDouble});
  ASSERT_TRUE(output.ok()) << output.status();
  const auto column = output->column(0);
  const auto& doubles = static_cast<const arrow::DoubleArray&>(*column);
  EXPECT_TRUE(std::signbit(doubles.Value(0)) && doubles.Value(0) == 0);
  EXPECT_TRUE(std::isnan(doubles.Value(1)));
  EXPECT_TRUE(doubles.IsNull(2));
  EXPECT_EQ(doubles.Value(3), 1.5);
}

TEST_F(ParquetNumbersTest, ReadsBooleans) {
  ExpectColumn(Column<parquet::BooleanType>("b", {true, false, {}, true}), {TypeKind::kBoolean},
               R"(["true","false",null,"true"])");
  ExpectColumn(Column<parquet::BooleanType>("b", {true, false, true}), {TypeKind::kBoolean},
               R"(["true","false","true"])");
}

TEST_F(ParquetNumbersTest, ReadsDecimalsOfNumbers) {
  const auto five_two = DecimalAnnotation(5, 2);
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(5, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(15, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(9, 4),
               R"(["123.4500",null,"-0.0100"])");
  ExpectColumn(Ints("d", {12345, {}, -1}, five_two), Decimal(25, 4),
               R"(["123.4500",null,"-0.0100"])");
  ExpectColumn(Longs("d", {12345, {}, -1}, DecimalAnnotation(15, 2)), Decimal(15, 2),
               R"(["123.45",null,"-0.01"])");
  ExpectColumn(Longs("d", {12345, {}, -1}, DecimalAnnotation(15, 2)), Decimal(38, 25),
               R"(["123.4500000000000000000000000",null,"-0.0100000000000000000000000"])");
  ExpectColumn(Ints("i", {7, -7}), Decimal(12, 2), R"(["7.00","-7.00"])");
  ExpectColumn(Longs("l", {7, -7}), Decimal(22, 2), R"(["7.00","-7.00"])");
}

TEST_F(ParquetNumbersTest, ReadsDecimalsOfBytes) {
  const __int128 big = static_cast<__int128>(1234567890123456789) * 1000000000000;
  const auto fixed = [](std::vector<std::optional<__int128>> values, int length, int precision,
                        int scale) {
    std::vector<std::optional<std::string>> texts;
    for (const auto& value : values) {
      texts.push_back(value ? std::make_optional(BigEndian(*value, length)) : std::nullopt);
    }
    return FixedColumn("d", std::move(texts), length, DecimalAnnotation(precision, scale));
  };
  ExpectColumn(fixed({12345, {}, -1}, 4, 9, 2), Decimal(9, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(fixed({12345, {}, -1}, 7, 15, 2), Decimal(16, 3), R"(["123.450",null,"-0.010"])");
  ExpectColumn(fixed({12345, {}, -1}, 16, 18, 2), Decimal(18, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(fixed({big, {}, -big}, 16, 38, 4), Decimal(38, 4),
               R"(["123456789012345678900000000.0000",null,"-123456789012345678900000000.0000"])");
  ExpectColumn(TextColumn("d", {BigEndian(12345, 2), std::nullopt, BigEndian(-1, 1)},
                          DecimalAnnotation(9, 2)),
               Decimal(9, 2), R"(["123.45",null,"-0.01"])");
  ExpectColumn(TextColumn("d", {BigEndian(-5, 20), BigEndian(big, 17)}, DecimalAnnotation(38, 2)),
               Decimal(38, 2), R"(["-0.05","12345678901234567890000000000.00"])");
}

TEST_F(ParquetNumbersTest, RefusesDecimalsOfMoreThan128Bits) {
  auto output =
      RoundTrip(TextColumn("d", {std::string("\x7F") + BigEndian(0, 16)}, DecimalAnnotation(38, 2)),
                Decimal(38, 2));
  EXPECT_THAT(output.status().message(),
              HasSubstr("column d: a decimal of more than 128 bits in a column read as "
                        "decimal(38,2)"));
}

TEST_F(ParquetNumbersTest, ReadsDatesAndTimestamps) {
  using Unit = parquet::LogicalType::TimeUnit;
  ExpectColumn(Ints("d", {0, {}, 9000}, parquet::LogicalType::Date()), {TypeKind::kDate},
               R"(["1970-01-01",null,"1994-08-23"])");
  ExpectColumn(Ints("d", {1, {}}, parquet::LogicalType::Date()), {TypeKind::kTimestampNtz},
               R"(["1970-01-02 00:00:00.000000",null])");
  ExpectColumn(Longs("t", {1, {}}, parquet::LogicalType::Timestamp(true, Unit::MICROS)),
               {TypeKind::kTimestamp}, R"(["1970-01-01 00:00:00.000001Z",null])");
  ExpectColumn(Longs("t", {1, {}}, parquet::LogicalType::Timestamp(true, Unit::MILLIS)),
               {TypeKind::kTimestamp}, R"(["1970-01-01 00:00:00.001000Z",null])");
  ExpectColumn(Longs("t", {-1, {}}, parquet::LogicalType::Timestamp(false, Unit::MILLIS)),
               {TypeKind::kTimestampNtz}, R"(["1969-12-31 23:59:59.999000",null])");
  parquet::Int96 noon;  // of Julian day 2440589, which is 1970-01-02
  parquet::Int96SetNanoSeconds(noon, 43200LL * 1000000000);
  noon.value[2] = 2440589;
  ExpectColumn(Column<parquet::Int96Type>("t", {noon, {}}), {TypeKind::kTimestamp},
               R"(["1970-01-02 12:00:00.000000Z",null])");
}

TEST_F(ParquetNumbersTest, ReadsNullsAcrossPagesAndBatches) {
  context_.batch_rows_target = 100;
  std::vector<std::optional<int32_t>> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i % 3 == 0 || (i > 200 && i < 450) ? std::nullopt : std::make_optional(i));
  }
  for (const bool dictionary : {false, true}) {
    WriteOptions options;
    parquet::WriterProperties::Builder builder;
    builder.data_pagesize(64)->write_batch_size(8)->compression(parquet::Compression::SNAPPY);
    if (!dictionary) builder.disable_dictionary();
    options.properties = builder.build();
    auto output = RoundTrip(Ints("i", values), {TypeKind::kLong}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    const auto column = output->column(0);
    const auto& longs = static_cast<const arrow::Int64Array&>(*column);
    ASSERT_EQ(longs.length(), 1000);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(longs.IsNull(i), !values[i].has_value()) << i;
      ASSERT_EQ(longs.Value(i), values[i].value_or(0)) << i;  // nulls are zero, for digests' sake
    }
  }
}

TEST_F(ParquetNumbersTest, ReadsOptionalColumnsWhoseStatisticsAreAbsent) {
  WriteOptions options;
  options.properties = parquet::WriterProperties::Builder().disable_statistics()->build();
  auto output = RoundTrip(Ints("i", {1, {}, 3}), {TypeKind::kInteger}, options);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->ToString(), "[\n  1,\n  null,\n  3\n]");
}

TEST_F(ParquetNumbersTest, ReadsOptionalColumnsWithoutNulls) {
  for (const auto version :
       {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
    WriteOptions options;
    options.properties = parquet::WriterProperties::Builder().data_page_version(version)->build();
    auto column = Column<parquet::Int64Type>("l", {1, 2, 3}, parquet::LogicalType::None(),
                                             /*type_length=*/-1, /*optional=*/true);
    auto output = RoundTrip(column, {TypeKind::kLong}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    EXPECT_EQ(output->column(0)->ToString(), "[\n  1,\n  2,\n  3\n]");
    auto text = TextColumn("s", {"a", "b", "a"});
    text.node = parquet::schema::PrimitiveNode::Make("s", parquet::Repetition::OPTIONAL,
                                                     parquet::LogicalType::String(),
                                                     parquet::Type::BYTE_ARRAY);
    output = RoundTrip(text, {TypeKind::kString}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    ExpectTexts(*output->column(0), {"a", "b", "a"});
  }
}

TEST_F(ParquetNumbersTest, RefusesTypesThatSparkRefuses) {
  using Unit = parquet::LogicalType::TimeUnit;
  const std::vector<std::pair<TestColumn, DataType>> cases = {
      {Ints("c", {1}), {TypeKind::kString}},
      {Ints("c", {1}), {TypeKind::kFloat}},
      {Ints("c", {1}), Decimal(9, 0)},
      {Ints("c", {1}, parquet::LogicalType::Int(32, false)), Decimal(20, 0)},
      {Ints("c", {1}, DecimalAnnotation(5, 2)), Decimal(4, 2)},
      {Ints("c", {1}, DecimalAnnotation(5, 2)), Decimal(9, 1)},
      {Ints("c", {1}, DecimalAnnotation(5, 2)), Decimal(6, 4)},
      {Longs("c", {1}), {TypeKind::kInteger}},
      {Longs("c", {1}), {TypeKind::kDouble}},
      {Longs("c", {1}), {TypeKind::kTimestamp}},
      {Longs("c", {1}, parquet::LogicalType::Timestamp(true, Unit::NANOS)), {TypeKind::kTimestamp}},
      {Column<parquet::DoubleType>("c", {1.0}), {TypeKind::kFloat}},
      {Column<parquet::BooleanType>("c", {true}), {TypeKind::kInteger}},
      {TextColumn("c", {"a"}), {TypeKind::kInteger}},
      {TextColumn("c", {"a"}), Decimal(9, 2)},
      {FixedColumn("c", {"a"}, 1), {TypeKind::kString}},
  };
  for (const auto& [column, type] : cases) {
    const Status status = RoundTrip(column, type).status();
    ASSERT_NE(SparkErrorOf(status), nullptr) << status << " for " << type.ToString();
    EXPECT_EQ(SparkErrorOf(status)->condition(),
              "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH");
  }
  const std::string path = folder_.file("column.parquet");
  EXPECT_EQ(RoundTrip(TextColumn("c", {"a"}), {TypeKind::kInteger}).status().message(),
            "RepriseParquetScan: cannot read " + path +
                ": column c is asked for as int, but the file has BINARY, which cannot be read so: "
                "correct the table's schema, or rewrite the file");
}

TEST_F(ParquetNumbersTest, RebasesDatesOfLegacyFiles) {
  const auto column = Ints("d", {-141428, {}, -141427, -719164}, parquet::LogicalType::Date());
  WriteOptions options;
  options.metadata = arrow::key_value_metadata({"org.apache.spark.version"}, {"2.4.8"});
  auto output = RoundTrip(column, {TypeKind::kDate}, options);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->column(0)->ToString(),
            "[\n  1582-10-04,\n  null,\n  1582-10-15,\n  0001-01-01\n]");
  options.metadata = arrow::key_value_metadata(
      {"org.apache.spark.version", "org.apache.spark.legacyDateTime"}, {"4.1.3", ""});
  output = RoundTrip(column, {TypeKind::kDate}, options);
  EXPECT_EQ(output->column(0)->GetScalar(0).ValueOrDie()->ToString(), "1582-10-04");
  options.metadata = arrow::key_value_metadata({"org.apache.spark.version"}, {"4.1.3"});
  output = RoundTrip(column, {TypeKind::kDate}, options);
  EXPECT_EQ(output->column(0)->GetScalar(0).ValueOrDie()->ToString(), "1582-10-14");
  const Status status =
      RoundTrip(column, {TypeKind::kDate}, {}, {{"datetimeRebaseMode", "EXCEPTION"}}).status();
  ASSERT_NE(SparkErrorOf(status), nullptr) << status;
  EXPECT_EQ(SparkErrorOf(status)->condition(),
            "INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME");
}

TEST_F(ParquetNumbersTest, HasInstantsOfLegacyFilesRebased) {
  using Unit = parquet::LogicalType::TimeUnit;
  const auto column = Longs("t", {kLastSwitchMicros / 1000, kLastSwitchMicros / 1000 - 1, {}, 5},
                            parquet::LogicalType::Timestamp(true, Unit::MILLIS));
  WriteOptions options;
  options.metadata = arrow::key_value_metadata(
      {"org.apache.spark.version", "org.apache.spark.timeZone"}, {"2.4.8", "Europe/Rome"});
  EXPECT_EQ(RoundTrip(column, {TypeKind::kTimestamp}, options).status().message(),
            "RepriseParquetScan: timestamps before 1900 of files in the legacy calendar can only "
            "be read in a JVM, whose time zones say what they mean: run the query in Spark");
  context_.rebase_instants = [](const std::optional<std::string>& zone, auto* micros) {
    EXPECT_EQ(zone, "Europe/Rome");
    EXPECT_EQ(*micros, std::vector<int64_t>{kLastSwitchMicros - 1000});
    (*micros)[0] = 7;
    return Status::OK();
  };
  auto output = RoundTrip(column, {TypeKind::kTimestamp}, options);
  ASSERT_TRUE(output.ok()) << output.status();
  const auto column_read = output->column(0);
  const auto& instants = static_cast<const arrow::TimestampArray&>(*column_read);
  EXPECT_EQ(instants.Value(0), kLastSwitchMicros);
  EXPECT_EQ(instants.Value(1), 7);
  EXPECT_TRUE(instants.IsNull(2));
  EXPECT_EQ(instants.Value(3), 5000);
}

}  // namespace
}  // namespace reprise
