#include "checksums/digest.h"

#include <arrow/array/array_dict.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/initialize.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "dump/digest_json.h"
#include "dump/sample_dump.h"

namespace reprise {
namespace {

StreamDigest DigestOf(const std::vector<Batch>& batches) {
  Digester digester(static_cast<int>(batches[0].columns.size()));
  for (const Batch& batch : batches) EXPECT_TRUE(digester.Update(batch).ok());
  return digester.digest();
}

StreamDigest DigestOf(const Batch& batch) { return DigestOf(std::vector<Batch>{batch}); }

StreamDigest DigestOf(const std::vector<Field>& fields, const std::string& rows) {
  return DigestOf(ToBatch(BatchOf(fields, rows)));
}

Batch WithSelection(const std::shared_ptr<arrow::RecordBatch>& records,
                    std::vector<int32_t> selection) {
  Batch batch = ToBatch(records);
  batch.selection = arrow::Buffer::FromVector(std::move(selection));
  return batch;
}

const std::vector<Field> kLong = {{"a", {TypeKind::kLong}}};
const std::vector<Field> kTwoLongs = {{"a", {TypeKind::kLong}}, {"b", {TypeKind::kLong}}};

// The values are part of the format: a change here makes every recorded digest wrong.
TEST(Digest, KnownValues) {
  const StreamDigest empty = DigestOf(kLong, "[]");
  EXPECT_EQ(empty.rows, 0);
  EXPECT_EQ(empty.ordered, 0u);
  EXPECT_EQ(empty.columns, std::vector<uint64_t>{0});
  const StreamDigest every = DigestOf(ToBatch(EveryTypeBatch(20)));
  EXPECT_EQ(Hex(every.ordered), "54b1b415c4706422");
  EXPECT_EQ(Hex(every.unordered), "a5df6f5c0622e842");
}

TEST(Digest, DoesNotDependOnBatchBoundaries) {
  const auto records = EveryTypeBatch(101);
  const StreamDigest whole = DigestOf(ToBatch(records));
  for (const int64_t size : {1, 7, 64, 100}) {
    std::vector<Batch> parts;
    for (int64_t at = 0; at < 101; at += size) parts.push_back(ToBatch(records->Slice(at, size)));
    EXPECT_EQ(DigestOf(parts), whole) << "batches of " << size << " rows";
  }
}

TEST(Digest, OfOneStreamBehindAnother) {
  const auto records = EveryTypeBatch(101);
  const StreamDigest whole = DigestOf(ToBatch(records));
  for (const int64_t rows : {0, 1, 50, 101}) {
    const StreamDigest first = DigestOf(ToBatch(records->Slice(0, rows)));
    EXPECT_EQ(Followed(first, DigestOf(ToBatch(records->Slice(rows)))), whole) << rows;
  }
}

TEST(Digest, SelectionCountsAsItsRows) {
  const auto records = EveryTypeBatch(20);
  const Batch selected = WithSelection(records, {0, 5, 6, 19});
  const auto plain = ToRecordBatch(selected, arrow::default_memory_pool()).ValueOrDie();
  EXPECT_EQ(DigestOf(selected), DigestOf(ToBatch(plain)));
  EXPECT_EQ(DigestOf(selected).rows, 4);
}

TEST(Digest, DictionaryEncodingDoesNotShow) {
  ASSERT_TRUE(arrow::compute::Initialize().ok());
  const std::vector<Field> fields = {{"s", {TypeKind::kString}}};
  const Batch plain = ToBatch(BatchOf(fields, R"([["x"],["y"],[null],["x"],[""]])"));
  Batch encoded = plain;
  encoded.columns[0] = arrow::compute::DictionaryEncode(plain.columns[0]).ValueOrDie().make_array();
  ASSERT_EQ(encoded.columns[0]->type_id(), arrow::Type::DICTIONARY);
  EXPECT_EQ(DigestOf(encoded), DigestOf(plain));
  // Fewer rows than the dictionary has values: another path.
  encoded.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1});
  EXPECT_EQ(DigestOf(encoded), DigestOf(fields, R"([["y"]])"));
}

TEST(Digest, DecimalsCountByValueNotByWidth) {
  const std::vector<Field> short_decimal = {{"d", Decimal(18, 2)}};
  const std::vector<Field> long_decimal = {{"d", Decimal(28, 2)}};
  const std::string rows = R"([["1.25"],["-1.25"],[null],["0.00"]])";
  EXPECT_EQ(DigestOf(short_decimal, rows), DigestOf(long_decimal, rows));
}

TEST(Digest, NaNsAreOneValueAndMinusZeroIsNotZero) {
  const auto of = [](double value) {
    const auto array = std::make_shared<arrow::DoubleArray>(
        1, arrow::Buffer::FromVector(std::vector<double>{value}));
    return DigestOf(Batch{arrow::schema({arrow::field("d", arrow::float64())}), {array}, 1});
  };
  const auto other_nan = std::bit_cast<double>(uint64_t{0xFFF8000000000123});
  EXPECT_EQ(of(std::nan("")), of(other_nan));
  EXPECT_NE(of(0.0), of(-0.0));
}

TEST(Digest, OrderShowsOnlyInTheOrderedDigest) {
  const StreamDigest up = DigestOf(kTwoLongs, "[[1,10],[2,20],[3,30]]");
  const StreamDigest down = DigestOf(kTwoLongs, "[[3,30],[2,20],[1,10]]");
  EXPECT_TRUE(up.SameRows(down));
  EXPECT_NE(up.ordered, down.ordered);
}

TEST(Digest, PairingsOfValuesShow) {
  const StreamDigest straight = DigestOf(kTwoLongs, "[[1,10],[2,20]]");
  const StreamDigest crossed = DigestOf(kTwoLongs, "[[1,20],[2,10]]");
  EXPECT_EQ(straight.columns, crossed.columns);
  EXPECT_NE(straight.unordered, crossed.unordered);
  EXPECT_FALSE(straight.SameRows(crossed));
}

TEST(Digest, NullsColumnsAndRepetitionsShow) {
  EXPECT_NE(DigestOf(kLong, "[[null]]").columns, DigestOf(kLong, "[[0]]").columns);
  EXPECT_NE(DigestOf(kTwoLongs, "[[1,2]]").columns, DigestOf(kTwoLongs, "[[2,1]]").columns);
  EXPECT_NE(DigestOf(kLong, "[[1],[1]]").columns, DigestOf(kLong, "[[2],[2]]").columns);
  EXPECT_FALSE(DigestOf(kLong, "[[1]]").SameRows(DigestOf(kLong, "[[1],[1]]")));
}

TEST(Digest, CountsAtMostTheRowsAskedFor) {
  Digester digester(1);
  ASSERT_TRUE(digester.Update(ToBatch(BatchOf(kLong, "[[1],[2],[3]]")), 2).ok());
  EXPECT_EQ(digester.digest(), DigestOf(kLong, "[[1],[2]]"));
}

TEST(Digest, EverySingleChangeInRandomRowsShows) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::vector<int64_t> values(64);
  for (auto& value : values) value = static_cast<int64_t>(random() % 4);
  const auto of = [](const std::vector<int64_t>& longs) {
    const auto array = std::make_shared<arrow::Int64Array>(static_cast<int64_t>(longs.size()),
                                                           arrow::Buffer::FromVector(longs));
    return DigestOf(Batch{arrow::schema({arrow::field("a", arrow::int64())}),
                          {array},
                          static_cast<int64_t>(longs.size())});
  };
  const StreamDigest before = of(values);
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<int64_t> changed = values;
    changed[i] += 1;
    EXPECT_FALSE(before.SameRows(of(changed))) << i;
  }
}

TEST(Digest, GoesThroughJson) {
  const StreamDigest digest = DigestOf(ToBatch(EveryTypeBatch(10)));
  EXPECT_EQ(StreamDigestFromJson(ToJson(digest)).ValueOrDie(), digest);
  nlohmann::json json = ToJson(digest);
  json["ordered"] = "xyz";
  EXPECT_EQ(StreamDigestFromJson(json).status().message(),
            "digest: member \"ordered\" must be 16 hexadecimal digits, found \"xyz\"");
}

TEST(Digest, RefusesATypeThatSparkDoesNotHave) {
  const auto array = arrow::MakeArrayOfNull(arrow::uint8(), 1).ValueOrDie();
  Digester digester(1);
  const Status status =
      digester.Update(Batch{arrow::schema({arrow::field("u", arrow::uint8())}), {array}, 1});
  EXPECT_EQ(status.message(), "no digest for a column of Arrow type uint8");
}

TEST(Hex, IsSixteenLowerCaseDigits) {
  EXPECT_EQ(Hex(0xABC), "0000000000000abc");
  uint64_t value = 0;
  EXPECT_TRUE(ParseHex("0000000000000abc", &value));
  EXPECT_EQ(value, 0xABCu);
  EXPECT_FALSE(ParseHex("0000000000000ABC", &value));
  EXPECT_FALSE(ParseHex("abc", &value));
}

}  // namespace
}  // namespace reprise
