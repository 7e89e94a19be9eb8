// Rows that Spark 4.1.3 wrote (UnsafeProjection.create(types).apply(row)), read and written byte
// for byte.
#include "plan/unsafe_row.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_primitive.h>
#include <arrow/array/util.h>

#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"
#include "transitions/spark_rows.h"

namespace reprise {

const std::vector<SparkRow>& SparkRows() {
  static const std::vector<SparkRow> rows = {
      {"integers",
       {"boolean", "boolean", "byte", "short", "integer", "long"},
       {"[true]", "[false]", "[-2]", "[-3]", "[-4]", "[-5]"},
       "000000000000000001000000000000000000000000000000fe00000000000000fdff000000000000fcffffff000"
       "00000"
       "fbffffffffffffff"},
      {"times",
       {"date", "timestamp", "timestamp_ntz", "void"},
       {"[-1]", "[1700000000123456]", "[-1]", "[null]"},
       "0800000000000000ffffffff0000000040222018240a0600ffffffffffffffff0000000000000000"},
      {"decimals",
       {"decimal(15,2)", "decimal(20,2)", "decimal(38,10)", "decimal(38,10)", "decimal(20,2)"},
       {"[\"-1234567.89\"]", "[\"-0.01\"]", "[\"1234567890123456789012345678.0123456789\"]",
        "[\"-9999999999999999999999999999.9999999999\"]", "[\"1.28\"]"},
       "0000000000000000eb32a4f8ffffffff01000000300000001000000040000000100000005000000002000000600"
       "00000"
       "ff0000000000000000000000000000000949b0f6f0023313c449904ecc674515b4c4b357a5793b85f675ddc0000"
       "00001"
       "00800000000000000000000000000000"},
      {"null_decimals",
       {"decimal(15,2)", "decimal(20,2)", "string", "decimal(38,10)"},
       {"[null]", "[null]", "[\"abc\"]", "[\"0.0000000000\"]"},
       "0300000000000000000000000000000000000000280000000300000038000000010000004000000000000000000"
       "00000"
       "0000000000000000616263000000000000000000000000000000000000000000"},
      {"strings",
       {"string", "string", "binary", "string", "string"},
       {"[\"héllo\"]", "[\"\"]", "[\"\\u0000\\u00ff\\u0001\"]", "[null]", "[\"12345678\"]"},
       "0800000000000000060000003000000000000000380000000300000038000000000000000000000008000000400"
       "00000"
       "68c3a96c6c6f000000ff0100000000003132333435363738"},
      {"nulls",
       {"boolean", "byte", "short", "integer", "long", "float", "double", "binary"},
       {"[null]", "[null]", "[null]", "[null]", "[null]", "[null]", "[null]", "[null]"},
       "ff00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
       "00000"
       "000000000000000000000000000000000000000000000000"}};
  return rows;
}

namespace {

std::shared_ptr<arrow::Array> ValueOf(const DataType& type, const std::string& json) {
  // JSON has no bytes that are not UTF-8.
  if (type.is(TypeKind::kBinary) && json != "[null]") {
    arrow::BinaryBuilder builder;
    EXPECT_TRUE(builder.Append(std::string("\0\xff\x01", 3)).ok());
    return builder.Finish().ValueOrDie();
  }
  return FromJson(type, json);
}

Batch BatchOfRow(const SparkRow& row) {
  const auto fields = FieldsOf(row.types);
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (size_t i = 0; i < fields.size(); ++i) {
    columns.push_back(ValueOf(fields[i].type, row.values[i]));
  }
  return BatchOf(fields, std::move(columns), 1);
}

std::string Encode(const std::vector<Field>& fields, const Batch& batch) {
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  const auto rows = encoder->Encode(batch).ValueOrDie();
  EXPECT_EQ(rows.row_count, 1);
  EXPECT_EQ(rows.offsets[0], 0);
  return ToHex(rows.bytes, rows.bytes + rows.offsets[1]);
}

Batch Decode(const std::vector<Field>& fields, const std::string& hex) {
  const auto bytes = FromHex(hex);
  const auto length = static_cast<int32_t>(bytes.size());
  auto decoder = UnsafeRowDecoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  return decoder->Decode(bytes, {&length, 1}).ValueOrDie();
}

TEST(UnsafeRow, WritesWhatSparkWrites) {
  for (const auto& row : SparkRows()) {
    EXPECT_EQ(Encode(FieldsOf(row.types), BatchOfRow(row)), row.hex) << row.name;
  }
}

TEST(UnsafeRow, ReadsWhatSparkWrote) {
  for (const auto& row : SparkRows()) {
    const Batch batch = Decode(FieldsOf(row.types), row.hex);
    const Batch expected = BatchOfRow(row);
    ASSERT_EQ(batch.row_count, 1) << row.name;
    ASSERT_TRUE(batch.schema->Equals(*expected.schema)) << row.name;
    for (size_t c = 0; c < expected.columns.size(); ++c) {
      EXPECT_TRUE(batch.columns[c]->ValidateFull().ok());
      EXPECT_TRUE(batch.columns[c]->Equals(*expected.columns[c]))
          << row.name << ", column " << c << ": " << batch.columns[c]->ToString();
    }
  }
}

// Of 1.5f, -0.0, a float NaN with a payload, a negative double NaN with a payload, and -Infinity.
TEST(UnsafeRow, KeepsTheBitsOfFloatingPointNumbers) {
  const std::string hex =
      "00000000000000000000c03f0000000000000000000000800100c0ff00000000230100000000f8ff000000000000"
      "f0ff";
  const auto fields = FieldsOf({"float", "double", "float", "double", "double"});
  const Batch batch = Decode(fields, hex);
  const auto float_bits = [&](int c) {
    return batch.columns[c]->data()->GetValues<uint32_t>(1)[0];
  };
  const auto double_bits = [&](int c) {
    return batch.columns[c]->data()->GetValues<uint64_t>(1)[0];
  };
  EXPECT_EQ(static_cast<const arrow::FloatArray&>(*batch.columns[0]).Value(0), 1.5f);
  EXPECT_EQ(double_bits(1), 0x8000000000000000u);
  EXPECT_EQ(float_bits(2), 0xffc00001u);
  EXPECT_EQ(double_bits(3), 0xfff8000000000123u);
  EXPECT_EQ(double_bits(4), 0xfff0000000000000u);
  EXPECT_EQ(Encode(fields, batch), hex);
}

// 66 longs, each its own number; 2 and 64 are null: the null bits take two words.
TEST(UnsafeRow, HasAsManyNullWordsAsFieldsNeed) {
  std::string hex = "04000000000000000100000000000000";
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (int i = 0; i < 66; ++i) {
    const bool null = i == 2 || i == 64;
    hex += fmt::format("{:02x}00000000000000", null ? 0 : i);
    columns.push_back(FromJson({TypeKind::kLong}, null ? "[null]" : fmt::format("[{}]", i)));
  }
  const auto fields = FieldsOf(std::vector<std::string>(66, "long"));
  EXPECT_EQ(Encode(fields, BatchOf(fields, columns, 1)), hex);
  const Batch batch = Decode(fields, hex);
  for (int i = 0; i < 66; ++i) EXPECT_TRUE(batch.columns[i]->Equals(*columns[i])) << i;
}

TEST(UnsafeRow, ARowWithoutFieldsHasNoBytes) {
  EXPECT_EQ(Encode({}, BatchOf({}, {}, 1)), "");
  EXPECT_EQ(Decode({}, "").row_count, 1);
}

}  // namespace
}  // namespace reprise
