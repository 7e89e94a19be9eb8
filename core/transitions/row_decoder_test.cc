#include "transitions/row_decoder.h"

#include "plan/unsafe_row.h"
#include "transitions/spark_rows.h"

namespace reprise {
namespace {

Status DecodeError(const std::vector<std::string>& types, const std::string& hex,
                   std::vector<int32_t> lengths = {}) {
  const auto bytes = FromHex(hex);
  if (lengths.empty()) lengths = {static_cast<int32_t>(bytes.size())};
  auto decoder = UnsafeRowDecoder::Make(FieldsOf(types), arrow::default_memory_pool()).ValueOrDie();
  return decoder->Decode(bytes, lengths).status();
}

TEST(UnsafeRowDecoder, RefusesARowThatIsTooShort) {
  EXPECT_EQ(DecodeError({"long", "long"}, "00000000000000000100000000000000").message(),
            "row 0 has 16 bytes; a row of 2 fields has a multiple of 8 and at least 24");
}

TEST(UnsafeRowDecoder, RefusesALengthThatIsNotAMultipleOfAWord) {
  EXPECT_EQ(DecodeError({"long"}, "0000000000000000010000000000000000", {17}).message(),
            "row 0 has 17 bytes; a row of 1 fields has a multiple of 8 and at least 16");
  EXPECT_EQ(DecodeError({"long"}, "00", {-8}).message(),
            "row 0 has -8 bytes; a row of 1 fields has a multiple of 8 and at least 16");
}

TEST(UnsafeRowDecoder, RefusesLengthsThatDoNotAddUp) {
  EXPECT_EQ(DecodeError({"long"}, "00000000000000000100000000000000", {16, 16}).message(),
            "the lengths of 2 rows add up to 32 bytes, but the rows have 16");
}

TEST(UnsafeRowDecoder, RefusesAStringOutsideItsRow) {
  // Size 9 at offset 16 of a row of 24 bytes.
  EXPECT_EQ(DecodeError({"string"}, "000000000000000009000000100000006162630000000000").message(),
            "row 0, column c0 (string): the value's 9 bytes at offset 16 lie outside the variable "
            "part of the row, "
            "which is from 16 to 24");
  // Offset and size of 4 GB each.
  EXPECT_EQ(DecodeError({"binary"}, "0000000000000000ffffffffffffffff").message(),
            "row 0, column c0 (binary): the value's 4294967295 bytes at offset 4294967295 lie "
            "outside the variable "
            "part of the row, which is from 16 to 16");
  // Offset in the fixed part.
  EXPECT_TRUE(DecodeError({"string"}, "00000000000000000100000008000000").IsInvalid());
}

TEST(UnsafeRowDecoder, NamesTheRowOfTheBatchInAnError) {
  std::string hex;
  std::vector<int32_t> lengths;
  for (int i = 0; i < 700; ++i) {
    hex += i == 600 ? "00000000000000000800000010000000" : "01000000000000000800000010000000";
    lengths.push_back(16);
  }
  EXPECT_EQ(DecodeError({"string"}, hex, lengths).message(),
            "row 600, column c0 (string): the value's 8 bytes at offset 16 lie outside the "
            "variable part of the row, "
            "which is from 16 to 16");
}

TEST(UnsafeRowDecoder, RefusesADecimalOfTooManyBytesOrOutsideItsRow) {
  EXPECT_EQ(DecodeError({"decimal(38,2)"},
                        "00000000000000001100000010000000"
                        "000000000000000000000000000000000000000000000000")
                .message(),
            "row 0, column c0 (decimal(38,2)): a value of 17 bytes; expected 1 to 16");
  EXPECT_EQ(DecodeError({"decimal(20,0)"}, "00000000000000000000000010000000").message(),
            "row 0, column c0 (decimal(20,0)): a value of 0 bytes; expected 1 to 16");
  EXPECT_EQ(
      DecodeError({"decimal(20,0)"}, "000000000000000009000000100000000000000000000000").message(),
      "row 0, column c0 (decimal(20,0)): the value's 9 bytes at offset 16 lie outside the variable "
      "part of the "
      "row, which is from 16 to 24");
}

TEST(UnsafeRowDecoder, IgnoresTheWordOfANull) {
  const auto bytes = FromHex("0300000000000000ffffffffffffffffffffffffffffffff");
  const int32_t length = 24;
  auto decoder =
      UnsafeRowDecoder::Make(FieldsOf({"string", "decimal(38,2)"}), arrow::default_memory_pool())
          .ValueOrDie();
  const Batch batch = decoder->Decode(bytes, {&length, 1}).ValueOrDie();
  EXPECT_TRUE(batch.columns[0]->IsNull(0));
  EXPECT_TRUE(batch.columns[1]->IsNull(0));
  EXPECT_TRUE(batch.columns[0]->ValidateFull().ok());
}

TEST(UnsafeRowDecoder, DecodesAgainAfterAnError) {
  auto decoder =
      UnsafeRowDecoder::Make(FieldsOf({"string"}), arrow::default_memory_pool()).ValueOrDie();
  const auto bad = FromHex("0000000000000000ffffffffffffffff");
  int32_t length = 16;
  EXPECT_FALSE(decoder->Decode(bad, {&length, 1}).ok());
  const auto good = FromHex("000000000000000002000000100000006162000000000000");
  length = 24;
  const Batch batch = decoder->Decode(good, {&length, 1}).ValueOrDie();
  EXPECT_TRUE(batch.columns[0]->Equals(*FromJson({TypeKind::kString}, R"(["ab"])")));
}

TEST(UnsafeRowDecoder, RefusesATypeWithoutNativeForm) {
  const auto decoder = UnsafeRowDecoder::Make({{"a", {TypeKind::kOther, 0, 0, "array<int>"}, true}},
                                              arrow::default_memory_pool());
  EXPECT_EQ(decoder.status().message(), "type array<int> has no native form");
}

TEST(UnsafeRowDecoder, TakesAllMemoryFromThePoolAndGivesItBack) {
  arrow::ProxyMemoryPool pool(arrow::default_memory_pool());
  {
    auto decoder = UnsafeRowDecoder::Make(FieldsOf({"string", "long"}), &pool).ValueOrDie();
    const auto row = FromHex("00000000000000000200000018000000070000000000000061620000000000000");
    const auto length = static_cast<int32_t>(row.size());
    const Batch batch = decoder->Decode(row, {&length, 1}).ValueOrDie();
    EXPECT_GT(pool.bytes_allocated(), 0);
  }
  EXPECT_EQ(pool.bytes_allocated(), 0);
}

}  // namespace
}  // namespace reprise
