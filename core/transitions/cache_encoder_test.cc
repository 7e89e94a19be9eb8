// Written batches, taken apart by what reads them.
#include "transitions/cache_encoder.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "plan/unsafe_row.h"
#include "transitions/cache_testing.h"
#include "transitions/cached_columns.h"
#include "transitions/spark_rows.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;

/// A block, as the plug-in takes it apart: columns, and the row of statistics.
std::vector<std::string> Pieces(const arrow::Buffer& block) {
  std::vector<std::string> pieces;
  for (const uint8_t* at = block.data(); at != block.data() + block.size();) {
    const auto size = LoadAs<int32_t>(at);
    at += sizeof(size);
    pieces.emplace_back(reinterpret_cast<const char*>(at), static_cast<size_t>(size));
    at += size;
  }
  return pieces;
}

Batch ColumnOf(std::shared_ptr<arrow::Array> values) {
  const int64_t rows = values->length();
  return {arrow::schema({arrow::field("a", values->type())}), {std::move(values)}, rows, nullptr};
}

/// The batches of one column of these values.
std::vector<EncodedCacheBatch> Encode(std::string_view type, std::string_view values,
                                      CacheLayout layout = {10000, true}) {
  const Field field{"a", ParseDataType(type), true};
  auto encoder = CacheEncoder::Make({field}, layout, arrow::default_memory_pool()).ValueOrDie();

  EXPECT_TRUE(encoder->Add(ColumnOf(FromJson(field.type, values))).ok());
  EXPECT_TRUE(encoder->Finish().ok());
  std::vector<EncodedCacheBatch> batches;
  while (auto batch = encoder->Take()) batches.push_back(std::move(*batch));
  return batches;
}

/// What reads caches finds in the only batch: numbers, 0 for nulls.
std::vector<int64_t> ReadLongs(const EncodedCacheBatch& batch) {
  auto source =
      MakeCachedColumns(std::make_unique<OneBatch>(batch.rows, Pieces(*batch.bytes)[0]),
                        {{"a", ParseDataType("long"), true}}, arrow::default_memory_pool());
  const int64_t rows = source->Next().ValueOrDie();
  std::vector<int64_t> values(static_cast<size_t>(rows));
  std::vector<uint8_t> nulls(static_cast<size_t>(rows));
  EXPECT_TRUE(source
                  ->CopyFixed(0, 0, rows, sizeof(int64_t),
                              reinterpret_cast<uint8_t*>(values.data()), nulls.data())
                  .ok());
  return values;
}

/// The number of the scheme of the only batch, behind the places of `nulls`.
int32_t SchemeOf(const std::vector<EncodedCacheBatch>& batches, size_t nulls = 0) {
  const std::string column = Pieces(*batches.at(0).bytes)[0];
  return LoadAs<int32_t>(reinterpret_cast<const uint8_t*>(column.data()) + 4 * (1 + nulls));
}

TEST(CacheEncoder, ChoosesTheSchemeOfFewestBytes) {
  EXPECT_EQ(SchemeOf(Encode("long", "[1000, -70000, 123456, 99999999]")), 0);
  EXPECT_EQ(SchemeOf(Encode("long", "[7, 7, 7, 7, 7, 7]")), 1);
  EXPECT_EQ(SchemeOf(Encode("long", "[7, 9000, 7, 9000, 7, 9000, 7, 9000, 7, 9000]")), 2);
  EXPECT_EQ(SchemeOf(Encode("boolean",
                            "[true, false, true, false, true, false, true, false, true,"
                            "false, true, false, true, false, true, false, true]")),
            3);
  EXPECT_EQ(SchemeOf(Encode("integer", "[1, 2, 3, 4, 5, 6, null, 7, 8]"), 1), 4);
  EXPECT_EQ(SchemeOf(Encode("long", "[1, 2, 3, 4, 5]")), 5);
  EXPECT_EQ(SchemeOf(Encode("long", "[7, 7, 7, 7, 7, 7]", {10000, false})), 0);
}

TEST(CacheEncoder, WhatIsWrittenIsRead) {
  for (const char* values :
       {"[1000, -70000, 123456, 99999999]", "[7, 7, 7, 7, null, 7]", "[null, 1, 2, 128, -1, -128]",
        "[7, 9000, 7, 9000, 7, 9000, 7, 9000, 7, 9000]", "[null, null]"}) {
    const auto batches = Encode("long", values);
    ASSERT_EQ(batches.size(), 1U);
    std::vector<int64_t> expected;
    for (const auto& value : nlohmann::json::parse(values)) {
      expected.push_back(value.is_null() ? 0 : value.get<int64_t>());
    }
    EXPECT_EQ(ReadLongs(batches[0]), expected);
  }
}

TEST(CacheEncoder, ABatchEndsAtItsRowsOrBytes) {
  const auto by_rows = Encode("long", "[1, 2, 3, 4, 5]", {2, true});
  ASSERT_EQ(by_rows.size(), 3U);
  EXPECT_THAT(ReadLongs(by_rows[1]), ElementsAre(3, 4));
  EXPECT_EQ(by_rows[2].rows, 1);

  const std::string large(3 << 20, 'x');
  const auto by_bytes = Encode("string", nlohmann::json::array({large, large, "y", "z"}).dump());
  ASSERT_EQ(by_bytes.size(), 2U);
  EXPECT_EQ(by_bytes[0].rows, 2);
  EXPECT_TRUE(Encode("long", "[]").empty());
}

TEST(CacheEncoder, StatisticsAreARow) {
  const auto words = [](std::string_view type, std::string_view values) {
    const std::string row = Pieces(*Encode(type, values)[0].bytes)[1];
    std::vector<int64_t> made;
    for (size_t at = 0; at < row.size(); at += 8) {
      made.push_back(LoadAs<int64_t>(reinterpret_cast<const uint8_t*>(row.data()) + at));
    }
    return made;
  };
  EXPECT_THAT(words("long", "[5, null, -3]"), ElementsAre(0, -3, 5, 1, 3, 20));
  EXPECT_THAT(words("long", "[null]"), ElementsAre(0, INT64_MAX, INT64_MIN, 1, 1, 4));
  EXPECT_THAT(words("binary", R"(["abc"])"), ElementsAre(3, 0, 0, 0, 1, 7));
  EXPECT_THAT(words("string", R"(["b", "a"])"),
              ElementsAre(0, 48LL << 32 | 1, 56LL << 32 | 1, 0, 2, 10, 'a', 'b'));
}

}  // namespace
}  // namespace reprise
