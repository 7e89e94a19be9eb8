#include "transitions/row_encoder.h"

#include <arrow/array/array_dict.h>

#include "base/check.h"
#include "transitions/spark_rows.h"

namespace reprise {
namespace {

std::shared_ptr<arrow::Buffer> SelectionOf(std::vector<int32_t> rows) {
  return arrow::Buffer::FromVector(std::move(rows));
}

std::vector<std::string> EncodeRows(const std::vector<Field>& fields, const Batch& batch) {
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  const auto rows = encoder->Encode(batch).ValueOrDie();
  std::vector<std::string> hex;
  for (int i = 0; i < rows.row_count; ++i) {
    hex.push_back(ToHex(rows.bytes + rows.offsets[i], rows.bytes + rows.offsets[i + 1]));
  }
  return hex;
}

const std::string kRow7 =
    "000000000000000007000000000000000300000018000000"
    "6162630000000000";
const std::string kRow8 =
    "0200000000000000"
    "0800000000000000"
    "0000000000000000";
const std::string kRow9 =
    "0100000000000000"
    "0000000000000000"
    "0000000018000000";

Batch ThreeRows(const std::vector<Field>& fields) {
  return BatchOf(fields,
                 {FromJson(fields[0].type, "[6, 7, 8, null]"),
                  FromJson(fields[1].type, R"(["not selected", "abc", null, ""])")},
                 4);
}

TEST(UnsafeRowEncoder, WritesOnlySelectedRows) {
  const auto fields = FieldsOf({"integer", "string"});
  Batch batch = ThreeRows(fields);
  batch.selection = SelectionOf({1, 3});
  EXPECT_EQ(EncodeRows(fields, batch), (std::vector<std::string>{kRow7, kRow9}));
  batch.selection = SelectionOf({});
  EXPECT_TRUE(EncodeRows(fields, batch).empty());
}

TEST(UnsafeRowEncoder, HeedsTheOffsetsOfColumns) {
  const auto fields = FieldsOf({"integer", "string"});
  Batch batch = ThreeRows(fields);
  for (auto& column : batch.columns) column = column->Slice(1, 3);
  batch.row_count = 3;
  EXPECT_EQ(EncodeRows(fields, batch), (std::vector<std::string>{kRow7, kRow8, kRow9}));
  batch.selection = SelectionOf({0, 1});
  EXPECT_EQ(EncodeRows(fields, batch), (std::vector<std::string>{kRow7, kRow8}));
}

TEST(UnsafeRowEncoder, DecodesDictionaries) {
  const auto fields = FieldsOf({"integer", "string"});
  Batch batch = ThreeRows(fields);
  const auto dictionary =
      FromJson(fields[1].type, R"(["dropped by the slice", "", "xyz", "abc"])")->Slice(1, 3);
  const auto indices = FromJson({TypeKind::kInteger}, "[1, 2, null, 0]");
  batch.columns[1] = std::make_shared<arrow::DictionaryArray>(
      arrow::dictionary(arrow::int32(), arrow::utf8()), indices, dictionary);
  for (auto& column : batch.columns) column = column->Slice(1, 3);
  batch.row_count = 3;
  EXPECT_EQ(EncodeRows(fields, batch), (std::vector<std::string>{kRow7, kRow8, kRow9}));
  batch.selection = SelectionOf({0, 2});
  EXPECT_EQ(EncodeRows(fields, batch), (std::vector<std::string>{kRow7, kRow9}));
}

TEST(UnsafeRowEncoder, OverwritesWhatItWroteBefore) {
  const auto fields = FieldsOf({"integer", "string"});
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  const Batch full =
      BatchOf(fields,
              {FromJson(fields[0].type, "[-1, -1]"),
               FromJson(fields[1].type, R"(["zzzzzzzzzzzzzzzzzzzzz", "zzzzzzzzz"])")},
              2);
  ASSERT_TRUE(encoder->Encode(full).ok());
  Batch batch = ThreeRows(fields);
  batch.selection = SelectionOf({1, 2, 3});
  const auto rows = encoder->Encode(batch).ValueOrDie();
  EXPECT_EQ(ToHex(rows.bytes, rows.bytes + rows.offsets[3]), kRow7 + kRow8 + kRow9);
}

TEST(UnsafeRowEncoder, PadsLongStringsWithZeros) {
  const auto fields = FieldsOf({"string"});
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  for (const int size : {7, 8, 9, 31, 32, 33, 41, 1000}) {
    const std::string value(size, 'a');
    // A second value, so that the first has bytes behind it that must not be copied.
    const auto column =
        FromJson(fields[0].type, fmt::format(R"(["{}", "bbbbbbbbbbbbbbbb"])", value));
    const auto rows = encoder->Encode(BatchOf(fields, {column}, 2)).ValueOrDie();
    std::string expected = value;
    expected.resize((size + 7) / 8 * 8, '\0');
    const std::string written(rows.bytes + 16, rows.bytes + rows.offsets[1]);
    EXPECT_EQ(written, expected) << size;
  }
}

TEST(UnsafeRowEncoder, RefusesAColumnOfAnotherType) {
  const auto fields = FieldsOf({"integer"});
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  const Batch batch = BatchOf(fields, {FromJson({TypeKind::kLong}, "[1]")}, 1);
  EXPECT_THROW((void)encoder->Encode(batch), CheckFailure);
}

TEST(UnsafeRowEncoder, SaysWhenRowsNeedMoreThanTwoGigabytes) {
  const auto fields = FieldsOf({"string", "string"});
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  const std::string value(1 << 20, 'a');
  const auto dictionary = FromJson(fields[0].type, fmt::format("[\"{}\"]", value));
  const std::vector<int32_t> zeros(1024, 0);
  const auto indices = std::make_shared<arrow::Int32Array>(
      1024, arrow::Buffer::FromVector(std::vector<int32_t>(zeros)));
  const auto column = std::make_shared<arrow::DictionaryArray>(
      arrow::dictionary(arrow::int32(), arrow::utf8()), indices, dictionary);
  const Batch batch = BatchOf(fields, {column, column}, 1024);
  const auto rows = encoder->Encode(batch);
  EXPECT_TRUE(rows.status().IsCapacityError());
  EXPECT_EQ(
      rows.status().message(),
      "the first 1024 of 1024 rows need 2147508224 bytes; at most 2147483647 can be handed to "
      "Spark at once");

  const auto pieces = SplitForRows(*encoder, batch, int64_t{1} << 30);
  ASSERT_EQ(pieces.size(), 4u);
  int64_t row_count = 0;
  for (const auto& piece : pieces) {
    row_count += piece.selected_count();
    EXPECT_LE(encoder->BytesBound(piece), int64_t{1} << 30);
  }
  EXPECT_EQ(row_count, 1024);
}

TEST(SplitForRows, KeepsRowsAndTheirOrder) {
  const auto fields = FieldsOf({"integer", "string"});
  auto encoder = UnsafeRowEncoder::Make(fields, arrow::default_memory_pool()).ValueOrDie();
  Batch batch = ThreeRows(fields);
  for (const bool selected : {false, true}) {
    if (selected) batch.selection = SelectionOf({1, 2, 3});
    std::string hex;
    for (const auto& piece : SplitForRows(*encoder, batch, 40)) {
      const auto rows = encoder->Encode(piece).ValueOrDie();
      EXPECT_LE(rows.row_count, 1);
      hex += ToHex(rows.bytes, rows.bytes + rows.offsets[rows.row_count]);
    }
    EXPECT_TRUE(hex.ends_with(kRow7 + kRow8 + kRow9));
  }
}

}  // namespace
}  // namespace reprise
