// Blocks come back as the rows that they were made of, and say what is wrong with them.
#include <arrow/array/concatenate.h>
#include <arrow/json/from_string.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "exchange/block_decoder.h"
#include "exchange/block_encoder.h"
#include "exchange/column_testing.h"
#include "plan/data_type.h"

namespace reprise {
namespace {

using testing::Good;
using testing::Values;

std::shared_ptr<arrow::DataType> ArrowType(const std::string& name) {
  return Good(ToArrow(ParseDataType(name)));
}

std::shared_ptr<arrow::Array> Encoded(const std::string& codes, const std::string& dictionary) {
  return Good(arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int32(), arrow::utf8()),
                                                 Values("integer", codes),
                                                 Values("string", dictionary)));
}

Batch BatchOf(const std::string& type, std::shared_ptr<arrow::Array> column) {
  const int64_t rows = column->length();
  return {arrow::schema({arrow::field("c", ArrowType(type))}), {std::move(column)}, rows, nullptr};
}

std::shared_ptr<arrow::Buffer> BlockOf(const Batch& batch, Codec codec = Codec::kLz4) {
  auto encoder = Good(BlockEncoder::Make(batch.schema, codec, arrow::default_memory_pool()));
  return Good(encoder->Encode(batch));
}

Result<Batch> Decode(const std::vector<std::shared_ptr<arrow::Buffer>>& blocks,
                     const std::shared_ptr<arrow::Schema>& schema) {
  BlockDecoder decoder(schema, arrow::default_memory_pool());
  std::vector<CheckedBlock> checked;
  for (const auto& bytes : blocks) {
    ARROW_ASSIGN_OR_RAISE(auto block, decoder.Check(bytes));
    checked.push_back(std::move(block));
  }
  return decoder.Decode(checked);
}

std::shared_ptr<arrow::Array> Plain(const Batch& batch) {
  const auto records = Good(ToRecordBatch(batch, arrow::default_memory_pool()));
  EXPECT_TRUE(records->ValidateFull().ok()) << records->ValidateFull();
  return records->column(0);
}

void ExpectEqual(const arrow::Array& found, const arrow::Array& expected) {
  EXPECT_TRUE(found.Equals(
      expected, arrow::EqualOptions::Defaults().nans_equal(true).signed_zeros_equal(false)))
      << "found " << found.ToString() << "\nexpected " << expected.ToString();
}

struct Sample {
  std::string type;
  std::string json;
};

const std::vector<Sample> kSamples = {
    {"boolean", "[true, null, false, true, true, false, null, true, true]"},
    {"byte", "[1, null, -128, 127]"},
    {"short", "[1, null, -32768, 32767]"},
    {"short", "[300, null, 301, 555]"},
    {"integer", "[1, null, -2147483648, 2147483647]"},
    {"integer", "[70000, null, 70001, 70255]"},
    {"long", "[1, null, -9223372036854775808, 9223372036854775807]"},
    {"long", "[-5, null, 4294967290]"},
    {"long", "[-5, null, 4294967291]"},
    {"long", "[-70000, null, -4465]"},
    {"float", "[1.5, null, -0.0, 0.0, NaN, Inf, -Inf]"},
    {"double", "[1.5, null, -0.0, 0.0, NaN, Inf, -Inf]"},
    {"decimal(12,2)", R"(["1.50", null, "-9999999999.99", "9999999999.99"])"},
    {"decimal(38,0)", R"(["99999999999999999999999999999999999999", null,
                          "-99999999999999999999999999999999999999"])"},
    {"decimal(25,2)", R"(["92233720368547758.07", null, "-92233720368547758.08"])"},
    {"decimal(25,2)", R"(["92233720368547758.08", null])"},
    {"string", R"(["", null, "a", "long enough to be longer than all the others", "ä€😀"])"},
    {"binary", R"(["", null, "a", "bc"])"},
    {"date", "[0, null, -719162, 2932896]"},
    {"timestamp", "[0, null, -62135596800000000, 253402300799999999]"},
    {"timestamp_ntz", "[0, null, 1]"},
    {"void", "[null, null]"},
};

TEST(Block, KeepsEveryTypeWithEveryCodec) {
  for (const Sample& sample : kSamples) {
    const auto column = Values(sample.type, sample.json);
    for (const Codec codec : {Codec::kNone, Codec::kLz4, Codec::kZstd}) {
      SCOPED_TRACE(sample.type + " " + std::string(NameOf(codec)));
      const Batch batch = BatchOf(sample.type, column);
      ExpectEqual(*Plain(Good(Decode({BlockOf(batch, codec)}, batch.schema))), *column);
      // Without its nulls, without rows, nulls alone, from an offset.
      const auto last = column->Slice(2);
      ExpectEqual(*Plain(Good(Decode({BlockOf(BatchOf(sample.type, last))}, batch.schema))), *last);
      const auto none = column->Slice(0, 0);
      ExpectEqual(*Plain(Good(Decode({BlockOf(BatchOf(sample.type, none))}, batch.schema))), *none);
      const auto nulls = column->Slice(1, 1);
      ExpectEqual(*Plain(Good(Decode({BlockOf(BatchOf(sample.type, nulls))}, batch.schema))),
                  *nulls);
    }
  }
}

TEST(Block, PutsSlicesTogetherAndBlocksBackToOneBatch) {
  for (const Sample& sample : kSamples) {
    SCOPED_TRACE(sample.type);
    const auto column = Values(sample.type, sample.json);
    const auto twice = Good(arrow::Concatenate({column, column}));
    const Batch one = BatchOf(sample.type, column);
    const Batch both = BatchOf(sample.type, twice->Slice(1));
    auto encoder = Good(BlockEncoder::Make(one.schema, Codec::kLz4, arrow::default_memory_pool()));
    const BatchSlice slices[] = {{&one, 1, one.row_count - 1}, {&both, 0, both.row_count}};
    const auto block = Good(encoder->Encode(slices));
    const auto expected = Good(arrow::Concatenate({column->Slice(1), twice->Slice(1)}));
    ExpectEqual(*Plain(Good(Decode({block}, one.schema))), *expected);
    const auto empty = BlockOf(BatchOf(sample.type, column->Slice(0, 0)));
    const auto three = Good(arrow::Concatenate({expected, column->Slice(1, 1), expected}));
    const auto null = BlockOf(BatchOf(sample.type, column->Slice(1, 1)));
    ExpectEqual(*Plain(Good(Decode({block, empty, null, block}, one.schema))), *three);
  }
}

TEST(Block, KeepsDictionariesWhereTheyAreSmaller) {
  std::string codes = "[0";
  for (int i = 1; i < 500; ++i) codes += i % 7 == 0 ? ", null" : ", " + std::to_string(i % 3);
  codes += "]";
  const auto first = Encoded(codes, R"(["AIR", "TRUCK", "REG AIR", "never used"])");
  const auto second = Encoded(codes, R"(["TRUCK", "SHIP", "AIR"])");
  const Batch a = BatchOf("string", first);
  const Batch b = BatchOf("string", second);
  const auto decoded = Good(Decode({BlockOf(a), BlockOf(b)}, a.schema));
  ASSERT_EQ(decoded.columns[0]->type_id(), arrow::Type::DICTIONARY);
  const auto& dictionary =
      *static_cast<const arrow::DictionaryArray&>(*decoded.columns[0]).dictionary();
  ExpectEqual(dictionary, *Values("string", R"(["AIR", "TRUCK", "REG AIR", "SHIP"])"));
  ExpectEqual(*Plain(decoded), *Good(arrow::Concatenate({Plain(a), Plain(b)})));

  // The same in one block, and beside a block of plain strings.
  auto encoder = Good(BlockEncoder::Make(a.schema, Codec::kLz4, arrow::default_memory_pool()));
  const BatchSlice slices[] = {{&a, 3, 400}, {&b, 0, 500}, {&a, 0, 2}};
  const auto block = Good(encoder->Encode(slices));
  const auto expected =
      Good(arrow::Concatenate({Plain(a)->Slice(3, 400), Plain(b), Plain(a)->Slice(0, 2)}));
  const auto from_one = Good(Decode({block}, a.schema));
  EXPECT_EQ(from_one.columns[0]->type_id(), arrow::Type::DICTIONARY);
  ExpectEqual(*Plain(from_one), *expected);
  const auto plain = Values("string", R"(["x", null, "AIR"])");
  const auto mixed = Good(Decode({block, BlockOf(BatchOf("string", plain))}, a.schema));
  EXPECT_EQ(mixed.columns[0]->type_id(), arrow::Type::STRING);
  ExpectEqual(*Plain(mixed), *Good(arrow::Concatenate({expected, plain})));
}

TEST(Block, DropsDictionariesThatDoNotPay) {
  const auto column = Encoded("[2, null, 0, 1]", R"(["a", "b", "c", "d"])");
  const auto decoded =
      Good(Decode({BlockOf(BatchOf("string", column))}, BatchOf("string", column).schema));
  EXPECT_EQ(decoded.columns[0]->type_id(), arrow::Type::STRING);
  ExpectEqual(*decoded.columns[0], *Values("string", R"(["c", null, "a", "b"])"));
}

TEST(Block, TakesSelectedRowsAndIndicesUnderNullsOfAnyValue) {
  auto data = Encoded("[0, null, 1]", R"(["x", "y"])")->data()->Copy();
  const int32_t indices[] = {0, 123456789, 1};
  data->buffers[1] = arrow::Buffer::Wrap(indices, 3);
  Batch batch = BatchOf("string", arrow::MakeArray(data));
  ExpectEqual(*Plain(Good(Decode({BlockOf(batch)}, batch.schema))),
              *Values("string", R"(["x", null, "y"])"));
  EXPECT_GT(PlainBytes({&batch, 0, 3}), 0);
  Batch numbers = BatchOf("long", Values("long", "[1, 2, 3, 4]"));
  numbers.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 3});
  ExpectEqual(*Plain(Good(Decode({BlockOf(numbers)}, numbers.schema))), *Values("long", "[2, 4]"));
}

TEST(Block, NarrowsNumbersAndCompressesText) {
  std::string json = "[0";
  for (int i = 1; i < 1000; ++i) json += ", " + std::to_string(1'000'000'000'000 + i % 200);
  const auto column = Values("long", json + "]")->Slice(1);
  const Batch narrow = BatchOf("long", column);
  EXPECT_EQ(BlockOf(narrow, Codec::kNone)->size(), 40 + 16 + 8 + 999);
  std::string texts = "[\"0\"";
  for (int i = 1; i < 1000; ++i) texts += ", \"the text number " + std::to_string(i) + "\"";
  const Batch text = BatchOf("string", Values("string", texts + "]"));
  const int64_t plain = BlockOf(text, Codec::kNone)->size();
  EXPECT_LT(BlockOf(text, Codec::kLz4)->size() * 2, plain);
  EXPECT_LT(BlockOf(text, Codec::kZstd)->size() * 3, plain);
}

TEST(Block, CountsPlainBytes) {
  const Batch batch = BatchOf("string", Values("string", R"(["abc", "", "de"])"));
  EXPECT_EQ(PlainBytes({&batch, 0, 3}), 3 * 4 + 5);
  EXPECT_EQ(PlainBytes({&batch, 1, 2}), 2 * 4 + 2);
  const Batch decimal = BatchOf("decimal(38,2)", Values("decimal(38,2)", R"(["1.00"])"));
  EXPECT_EQ(PlainBytes({&decimal, 0, 1}), 16);
  const Batch bits = BatchOf("boolean", Values("boolean", "[true, null]"));
  EXPECT_EQ(PlainBytes({&bits, 0, 2}), 2);
}

std::string ErrorOf(std::vector<uint8_t> bytes, const std::shared_ptr<arrow::Schema>& schema) {
  return Decode({arrow::Buffer::FromVector(std::move(bytes))}, schema).status().message();
}

TEST(Block, SaysWhatIsWrong) {
  const Batch batch = BatchOf("integer", Values("integer", "[1, 2, 3]"));
  const auto block = BlockOf(batch);
  const std::vector<uint8_t> good(block->data(), block->data() + block->size());
  std::vector<uint8_t> bytes(good.begin(), good.begin() + 10);
  EXPECT_EQ(ErrorOf(bytes, batch.schema),
            "the block is cut off: 10 bytes, its header alone has 40");
  bytes.assign(good.begin(), good.end() - 1);
  EXPECT_EQ(ErrorOf(bytes, batch.schema),
            "the block is cut off or damaged: 26 bytes follow its header, expected 27");
  bytes = good;
  bytes[0] = 'X';
  EXPECT_EQ(ErrorOf(bytes, batch.schema),
            "this is no block: it begins with 0x4b425058, expected 0x4b425052");
  bytes = good;
  bytes[4] = 9;
  EXPECT_EQ(ErrorOf(bytes, batch.schema),
            "the block has version 9, this core reads version 1: use one Reprise release on all "
            "machines");
  EXPECT_EQ(ErrorOf(good, BatchOf("long", Values("long", "[]")).schema),
            "the block has 1 columns of other types than the 1 expected: c: int64");
}

TEST(Block, NoticesEveryFlippedBit) {
  const Batch batch = BatchOf("string", Values("string", R"(["one", null, "three"])"));
  const auto block = BlockOf(batch);
  for (int64_t bit = 0; bit < block->size() * 8; ++bit) {
    std::vector<uint8_t> bytes(block->data(), block->data() + block->size());
    bytes[static_cast<size_t>(bit / 8)] ^= static_cast<uint8_t>(1 << (bit % 8));
    EXPECT_NE(ErrorOf(std::move(bytes), batch.schema), "") << bit;
  }
  std::vector<uint8_t> bytes(block->data(), block->data() + block->size());
  bytes.back() ^= 1;
  EXPECT_THAT(ErrorOf(std::move(bytes), batch.schema),
              ::testing::MatchesRegex(
                  "the block is damaged: its checksum is [0-9a-f]{16}, expected [0-9a-f]{16}"));
}

TEST(Block, RandomRowsComeBack) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    arrow::Int64Builder numbers;
    arrow::StringBuilder texts;
    const int64_t rows = static_cast<int64_t>(random() % 300);
    const int shift = static_cast<int>(random() % 64);
    for (int64_t row = 0; row < rows; ++row) {
      if (random() % 5 == 0) {
        ASSERT_TRUE(numbers.AppendNull().ok() && texts.AppendNull().ok());
      } else {
        ASSERT_TRUE(numbers.Append(static_cast<int64_t>(random()) >> shift).ok());
        ASSERT_TRUE(texts.Append(std::string(random() % 300, 'a' + random() % 26)).ok());
      }
    }
    Batch batch{
        arrow::schema({arrow::field("n", arrow::int64()), arrow::field("t", arrow::utf8())}),
        {*numbers.Finish(), *texts.Finish()},
        rows,
        nullptr};
    const auto codec = static_cast<Codec>(random() % 3);
    const auto decoded = Good(Decode({BlockOf(batch, codec), BlockOf(batch)}, batch.schema));
    const auto records = Good(ToRecordBatch(decoded, arrow::default_memory_pool()));
    ASSERT_TRUE(records->ValidateFull().ok());
    for (int column = 0; column < 2; ++column) {
      ExpectEqual(*records->column(column)->Slice(0, rows), *batch.columns[column]);
      ExpectEqual(*records->column(column)->Slice(rows), *batch.columns[column]);
    }
  }
}

}  // namespace
}  // namespace reprise
