#include "transitions/cached_columns.h"

#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "transitions/cache_testing.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;

template <typename T>
std::string Bytes(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}
std::string Text(const std::string& text) {
  return Bytes(static_cast<int32_t>(text.size())) + text;
}

/// Null places, scheme and values.
std::string Column(const std::vector<int32_t>& nulls, const std::string& rest) {
  std::string bytes = Bytes(static_cast<int32_t>(nulls.size()));
  for (const int32_t place : nulls) bytes += Bytes(place);
  return bytes + rest;
}

std::unique_ptr<ColumnSource> SourceOf(std::string_view type, int64_t rows, std::string bytes) {
  auto source = MakeCachedColumns(std::make_unique<OneBatch>(rows, std::move(bytes)),
                                  {{"a", ParseDataType(type), true}}, arrow::default_memory_pool());
  EXPECT_EQ(source->Next().ValueOrDie(), rows);
  return source;
}

constexpr int64_t kNull = -999;

template <typename T>
std::vector<int64_t> Numbers(std::string_view type, int64_t rows, std::string bytes) {
  const auto source = SourceOf(type, rows, std::move(bytes));
  std::vector<T> values(static_cast<size_t>(rows));
  std::vector<uint8_t> nulls(static_cast<size_t>(rows));
  const int64_t null_count =
      source
          ->CopyFixed(0, 0, rows, sizeof(T), reinterpret_cast<uint8_t*>(values.data()),
                      nulls.data())
          .ValueOrDie();
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < values.size(); ++i) {
    numbers.push_back(null_count > 0 && nulls[i] != 0 ? kNull : static_cast<int64_t>(values[i]));
  }
  return numbers;
}

/// "-" for a null; read in pieces, whatever fits 8 bytes.
std::vector<std::string> Texts(std::string_view type, int64_t rows, std::string bytes) {
  const auto source = SourceOf(type, rows, std::move(bytes));
  std::vector<std::string> texts;
  char values[8];
  int32_t lengths[8];
  while (std::ssize(texts) < rows) {
    const int64_t copied =
        source
            ->CopyBytes(0, std::ssize(texts), rows - std::ssize(texts),
                        reinterpret_cast<uint8_t*>(values), sizeof(values), lengths)
            .ValueOrDie();
    if (copied < 0) return {"needs " + std::to_string(-copied)};
    size_t used = 0;
    for (int64_t i = 0; i < copied; ++i) {
      const auto size = static_cast<size_t>(std::max(0, lengths[i]));
      texts.push_back(lengths[i] < 0 ? "-" : std::string(values + used, size));
      used += size;
    }
  }
  return texts;
}

TEST(CachedColumns, PlainValues) {
  EXPECT_THAT(
      Numbers<int32_t>("integer", 4, Column({1}, Bytes(0) + Bytes(7) + Bytes(-8) + Bytes(9))),
      ElementsAre(7, kNull, -8, 9));
  EXPECT_THAT(Numbers<int64_t>("decimal(18,2)", 2,
                               Column({}, Bytes(0) + Bytes(int64_t{-5}) + Bytes(int64_t{1} << 40))),
              ElementsAre(-5, int64_t{1} << 40));
  EXPECT_THAT(Numbers<int8_t>("boolean", 3, Column({0}, Bytes(0) + std::string("\1\0", 2))),
              ElementsAre(kNull, 1, 0));
  EXPECT_THAT(Texts("string", 4, Column({2}, Bytes(0) + Text("ab") + Text("") + Text("abcdefg"))),
              ElementsAre("ab", "", "-", "abcdefg"));
  EXPECT_THAT(Texts("string", 1, Column({}, Bytes(0) + Text("abcdefghi"))), ElementsAre("needs 9"));
}

TEST(CachedColumns, ValuesWithoutAScheme) {
  EXPECT_THAT(Texts("binary", 2, Column({0}, Text("xyz"))), ElementsAre("-", "xyz"));
  EXPECT_THAT(Texts("decimal(38,2)", 1, Column({}, Text("\x01\x02"))), ElementsAre("\x01\x02"));
}

TEST(CachedColumns, Runs) {
  EXPECT_THAT(Numbers<int16_t>("short", 6,
                               Column({0, 3}, Bytes(1) + Bytes(int16_t{5}) + Bytes(3) +
                                                  Bytes(int16_t{-1}) + Bytes(1))),
              ElementsAre(kNull, 5, 5, kNull, 5, -1));
  EXPECT_THAT(
      Texts("string", 3, Column({}, Bytes(1) + Text("a") + Bytes(2) + Text("b") + Bytes(1))),
      ElementsAre("a", "a", "b"));
}

TEST(CachedColumns, Dictionaries) {
  const std::string entries = Bytes(2) + Bytes(2);
  EXPECT_THAT(Numbers<int64_t>("timestamp", 3,
                               Column({1}, entries + Bytes(int64_t{7}) + Bytes(int64_t{8}) +
                                               Bytes(int16_t{1}) + Bytes(int16_t{0}))),
              ElementsAre(8, kNull, 7));
  EXPECT_THAT(
      Texts("string", 2,
            Column({}, entries + Text("a") + Text("bc") + Bytes(int16_t{1}) + Bytes(int16_t{0}))),
      ElementsAre("bc", "a"));
}

TEST(CachedColumns, BitsAndDeltas) {
  std::string bits = Bytes(3) + Bytes(66) + Bytes(uint64_t{5}) + Bytes(uint64_t{2});
  const auto flags = Numbers<int8_t>("boolean", 67, Column({1}, bits));
  EXPECT_THAT(std::vector<int64_t>(flags.begin(), flags.begin() + 4), ElementsAre(1, kNull, 0, 1));
  EXPECT_THAT(std::vector<int64_t>(flags.end() - 2, flags.end()), ElementsAre(0, 1));
  EXPECT_THAT(Numbers<int32_t>("date", 4,
                               Column({}, Bytes(4) + "\x80" + Bytes(1000) + "\x05" + "\xfe" +
                                              "\x80" + Bytes(-7))),
              ElementsAre(1000, 1005, 1003, -7));
  EXPECT_THAT(Numbers<int64_t>("long", 3,
                               Column({1}, Bytes(5) + "\x80" + Bytes(int64_t{-1} << 40) + "\xff")),
              ElementsAre(int64_t{-1} << 40, kNull, (int64_t{-1} << 40) - 1));
}

TEST(CachedColumns, SaysWhatIsWrongWithAColumn) {
  const auto error = [](std::string_view type, const std::string& bytes) {
    uint8_t values[64];
    uint8_t nulls[8];
    return SourceOf(type, 2, bytes)->CopyFixed(0, 0, 2, 4, values, nulls).status().message();
  };
  const std::string prefix = "column a of a cached table: ";
  EXPECT_EQ(error("integer", Column({}, Bytes(0) + Bytes(1))),
            prefix + "8 bytes are wanted where 4 are left");
  EXPECT_EQ(error("integer", Column({2}, Bytes(0))), prefix + "row 2 is null, of 2");
  EXPECT_EQ(error("integer", Column({}, Bytes(9))),
            prefix + "there is no compression scheme 9 of values of 4 bytes");
  EXPECT_EQ(error("float", Column({}, Bytes(5) + "\x01\x01")),
            prefix + "there is no compression scheme 5 of values of 4 bytes");
  EXPECT_EQ(error("integer", Column({}, Bytes(4) + "\x80" + Bytes(7))),
            prefix + "1 bytes are wanted where 0 are left");
  EXPECT_EQ(error("integer", Column({}, Bytes(4) + "\x80" + "\x07")),
            prefix + "4 bytes are wanted where 1 are left");
  EXPECT_EQ(error("integer", Column({}, Bytes(2) + Bytes(1) + Bytes(7) + Bytes(int16_t{0}) +
                                            Bytes(int16_t{1}))),
            prefix + "entry 1 of a dictionary of 1");
  EXPECT_EQ(error("long", Column({}, Bytes(0) + Bytes(int64_t{1}) + Bytes(int64_t{1}))),
            "values of 8 bytes are asked for as of 4");
}

}  // namespace
}  // namespace reprise
