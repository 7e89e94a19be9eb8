#include "transitions/nested_column.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reprise {
namespace {

using testing::HasSubstr;

constexpr char kArrayOfInts[] = R"({"type":"array","elementType":"integer","containsNull":true})";

std::string Words(const std::vector<uint64_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * 8};
}

std::string Padded(std::string text) {
  text.resize((text.size() + 7) / 8 * 8);
  return text;
}

uint64_t At(uint64_t offset, uint64_t size) { return offset << 32 | size; }

DataType Other(std::string text) { return {TypeKind::kOther, 0, 0, std::move(text)}; }

// [1, null, 3]
std::string ThreeInts() { return Words({3, 0b010, 1, 3}); }

Result<std::shared_ptr<arrow::Array>> Read(const std::vector<std::optional<std::string>>& values,
                                           const DataType& type) {
  arrow::BinaryBuilder builder;
  for (const auto& value : values) {
    RETURN_NOT_OK(value ? builder.Append(*value) : builder.AppendNull());
  }
  ARROW_ASSIGN_OR_RAISE(const auto stored, builder.Finish());
  return ReadableColumn(stored, type, arrow::default_memory_pool());
}

std::string TextOf(const std::vector<std::optional<std::string>>& values, const DataType& type) {
  const auto read = Read(values, type);
  if (!read.ok()) return read.status().message();
  EXPECT_TRUE((*read)->ValidateFull().ok()) << (*read)->ValidateFull().ToString();
  EXPECT_TRUE((*read)->type()->Equals(**ReadableType(type)));
  std::string text;
  for (int64_t i = 0; i < (*read)->length(); ++i) {
    text += (*read)->GetScalar(i).ValueOrDie()->ToString() + "\n";
  }
  return text;
}

std::string Compact(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(NestedColumnTest, ArraysOfNumbers) {
  EXPECT_EQ(Compact(TextOf({ThreeInts(), std::nullopt, Words({0})}, Other(kArrayOfInts))),
            "list<element:int32>[1,null,3]nulllist<element:int32>[]");
  const DataType shorts = Other(R"({"type":"array","elementType":"short","containsNull":false})");
  EXPECT_EQ(Compact(TextOf({Words({2, 0, 0x00020001})}, shorts)),
            "list<element:int16notnull>[1,2]");
}

TEST(NestedColumnTest, ArraysOfWhatIsElsewhere) {
  const DataType strings = Other(R"({"type":"array","elementType":"string","containsNull":true})");
  const std::string text = Words({2, 0, At(32, 3), At(40, 0)}) + Padded("abc");
  EXPECT_EQ(Compact(TextOf({text}, strings)), "list<element:string>[abc,]");
  const DataType nested =
      Other(R"({"type":"array","elementType":)" + std::string(kArrayOfInts) + R"(})");
  const std::string lists = Words({1, 0, At(24, 32)}) + ThreeInts();
  EXPECT_EQ(Compact(TextOf({lists}, nested)),
            "list<element:list<element:int32>>[list<element:int32>[1,null,3]]");
}

TEST(NestedColumnTest, Decimals) {
  const DataType decimals =
      Other(R"json({"type":"struct","fields":[{"name":"s","type":"decimal(9,2)"},)json"
            R"json({"name":"l","type":"decimal(30,2)"}]})json");
  std::string digits(16, '\0');
  digits[0] = static_cast<char>(0xff);  // -100 in two bytes
  digits[1] = static_cast<char>(0x9c);
  const std::string row = Words({0, 12345, At(24, 2)}) + digits;
  EXPECT_THAT(TextOf({row}, decimals), HasSubstr("123.45"));
  EXPECT_THAT(TextOf({row}, decimals), HasSubstr("-1.00"));
}

TEST(NestedColumnTest, MapsAndStructs) {
  const DataType map =
      Other(R"({"type":"map","keyType":"integer","valueType":"string","valueContainsNull":true})");
  const std::string keys = Words({2, 0, 0x0000000800000007});
  const std::string values = Words({2, 0b10, At(32, 1), 0}) + Padded("x");
  const std::string whole = Words({keys.size()}) + keys + values;
  const auto read = Read({whole}, map);
  ASSERT_TRUE(read.ok()) << read.status();
  const auto& entries = static_cast<const arrow::MapArray&>(**read);
  EXPECT_EQ(entries.keys()->ToString(), "[\n  7,\n  8\n]");
  EXPECT_EQ(entries.items()->ToString(), "[\n  \"x\",\n  null\n]");

  const DataType row = Other(
      R"({"type":"struct","fields":[{"name":"a","type":"boolean"},{"name":"b","type":"interval"},)"
      R"({"name":"c","type":"string collate UNICODE_CI"},{"name":"d","type":"void"}]})");
  const std::string bytes = Words({0b1000, 1, At(40, 16), At(56, 2), 0}) +
                            Words({uint64_t{2} << 32 | 14, 5'000'000}) + Padded("hi");
  const std::string text = TextOf({bytes}, row);
  EXPECT_THAT(text, HasSubstr("a:bool = true"));
  EXPECT_THAT(text, HasSubstr("14M2d5000000000ns"));
  EXPECT_THAT(text, HasSubstr("hi"));
}

TEST(NestedColumnTest, WhatHasNoReadableFormIsHandedOn) {
  const DataType unknown =
      Other(R"({"type":"array","elementType":"no type of Spark's","containsNull":true})");
  const auto read = Read({ThreeInts()}, unknown);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ((*read)->type_id(), arrow::Type::BINARY);
  EXPECT_EQ((*ReadableType(unknown))->id(), arrow::Type::BINARY);
  EXPECT_EQ(*ReadableType({TypeKind::kLong}), arrow::int64());
}

TEST(NestedColumnTest, DamagedValuesAreErrors) {
  const DataType strings = Other(R"({"type":"array","elementType":"string","containsNull":true})");
  const std::string whole = Words({2, 0, At(32, 3), At(40, 2)}) + Padded("abc") + Padded("de");
  ASSERT_TRUE(Read({whole}, strings).ok());
  for (size_t size = 0; size + 6 < whole.size(); ++size) {
    EXPECT_THAT(TextOf({whole.substr(0, size)}, strings), HasSubstr("is damaged")) << size;
  }
  // Any byte may be wrong: there is an error, or another value, but nothing is read outside.
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
    (void)Read({damaged}, strings);
  }
  EXPECT_THAT(TextOf({Words({uint64_t{1} << 60})}, Other(kArrayOfInts)), HasSubstr("is damaged"));
}

}  // namespace
}  // namespace reprise
