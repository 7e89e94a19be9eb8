#include "transitions/stored_column.h"

#include <arrow/array.h>
#include <arrow/buffer_builder.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>

#include "plan/unsafe_row.h"

namespace reprise {
namespace {

StoredLists ListsAt(const std::vector<int32_t>& offsets) {
  StoredLists lists;
  lists.count = static_cast<int64_t>(offsets.size()) - 1;
  lists.offsets = arrow::Buffer::FromVector(offsets);
  return lists;
}

std::shared_ptr<arrow::Array> ColumnOfJson(const DataType& type, const std::string& json) {
  return arrow::json::ArrayFromJSONString(ToArrow(type).ValueOrDie(), json).ValueOrDie();
}

std::vector<uint64_t> WordsOf(const arrow::Array& stored, int64_t row) {
  const auto value = static_cast<const arrow::BinaryArray&>(stored).GetView(row);
  EXPECT_EQ(value.size() % 8, 0u);
  std::vector<uint64_t> words(value.size() / 8);
  std::memcpy(words.data(), value.data(), value.size());
  return words;
}

std::vector<uint64_t> OneArray(const DataType& type, const std::string& json) {
  const auto elements = ColumnOfJson(type, json);
  const auto stored = StoredArrays(ListsAt({0, static_cast<int32_t>(elements->length())}), type,
                                   *elements, arrow::default_memory_pool());
  EXPECT_TRUE(stored.ok()) << stored.status();
  return WordsOf(**stored, 0);
}

using Words = std::vector<uint64_t>;

uint64_t At(uint64_t offset, uint64_t size) { return offset << 32 | size; }

TEST(StoredColumnTest, ElementsHaveTheWidthOfTheirType) {
  EXPECT_EQ(OneArray({TypeKind::kBoolean}, "[true, null, false, true]"),
            (Words{4, 0b0010, 0x01000001}));
  EXPECT_EQ(OneArray({TypeKind::kShort}, "[1, null, -1]"), (Words{3, 0b010, 0xffff00000001}));
  EXPECT_EQ(OneArray({TypeKind::kInteger}, "[1, 2, 3]"), (Words{3, 0, 0x200000001, 3}));
  EXPECT_EQ(OneArray({TypeKind::kLong}, "[null, 5]"), (Words{2, 0b01, 0, 5}));
  EXPECT_EQ(OneArray({TypeKind::kLong}, "[]"), (Words{0}));
  EXPECT_EQ(OneArray({TypeKind::kString}, R"(["ab", null, ""])"),
            (Words{3, 0b010, At(40, 2), 0, At(48, 0), 0x6261}));
}

// UnsafeArrayWriter gives a decimal the words that its digits need, UnsafeRowWriter always two.
TEST(StoredColumnTest, LongDecimalsTakeTheWordsThatTheyNeed) {
  EXPECT_EQ(OneArray(Decimal(38, 0), R"(["1", null, "-1", "18446744073709551616"])"),
            (Words{4, 0b0010, At(48, 1), 0, At(56, 1), At(64, 9), 0x01, 0xff, 0x01, 0}));
}

TEST(StoredColumnTest, MapsAreTwoArrays) {
  const auto keys = ColumnOfJson({TypeKind::kInteger}, "[1, 2, 3]");
  const auto values = ColumnOfJson({TypeKind::kLong}, "[10, null, 30]");
  StoredLists lists = ListsAt({0, 2, 2, 3});
  lists.nulls = {arrow::Buffer::FromVector(std::vector<uint8_t>{0b101}), 1};
  const auto stored = StoredMaps(lists, {TypeKind::kInteger}, *keys, {TypeKind::kLong}, *values,
                                 arrow::default_memory_pool())
                          .ValueOrDie();
  EXPECT_EQ(WordsOf(*stored, 0), (Words{24, 2, 0, 0x200000001, 2, 0b10, 10, 0}));
  EXPECT_TRUE(stored->IsNull(1));
  EXPECT_EQ(WordsOf(*stored, 2), (Words{24, 1, 0, 3, 1, 0, 30}));
}

TEST(StoredColumnTest, NullStructsHaveNoBytes) {
  auto structs = StoredStructs::Make({{"", {TypeKind::kInteger}, true}, {"", Decimal(20, 0), true}},
                                     arrow::default_memory_pool())
                     .ValueOrDie();
  const StoredNulls nulls = {arrow::Buffer::FromVector(std::vector<uint8_t>{0b101}), 1};
  const auto stored = structs
                          .Of({ColumnOfJson({TypeKind::kInteger}, "[1, 2, null]"),
                               ColumnOfJson(Decimal(20, 0), R"(["5", "6", null])")},
                              3, nulls)
                          .ValueOrDie();
  EXPECT_EQ(WordsOf(*stored, 0), (Words{0, 1, At(24, 1), 5, 0}));
  EXPECT_TRUE(stored->IsNull(1));
  EXPECT_EQ(WordsOf(*stored, 1), Words{});
  EXPECT_EQ(WordsOf(*stored, 2), (Words{0b11, 0, At(24, 0), 0, 0}));
}

}  // namespace
}  // namespace reprise
