#include "dump/batch_file.h"

#include <arrow/array/array_dict.h>
#include <arrow/array/builder_dict.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/initialize.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "checksums/digest.h"
#include "dump/sample_dump.h"

namespace reprise {
namespace {

auto* const kPool = arrow::default_memory_pool();

Result<std::shared_ptr<arrow::RecordBatch>> RoundTrip(const Batch& batch,
                                                      const std::vector<Field>& fields) {
  ARROW_ASSIGN_OR_RAISE(const auto bytes, EncodeBatch(batch, fields, kPool));
  return DecodeBatch(bytes->ToString(), fields, batch.selected_count(), kPool);
}

void ExpectSame(const arrow::RecordBatch& actual, const arrow::RecordBatch& expected) {
  EXPECT_TRUE(actual.schema()->Equals(*expected.schema())) << actual.schema()->ToString();
  ASSERT_TRUE(actual.ValidateFull().ok());
  EXPECT_TRUE(actual.Equals(expected, arrow::EqualOptions().nans_equal(true)))
      << actual.ToString() << expected.ToString();
}

TEST(BatchFile, EveryTypeComesBack) {
  for (const int64_t rows : {0, 1, 37, 5000}) {
    const auto records = EveryTypeBatch(rows);
    const auto back = RoundTrip(ToBatch(records), EveryType()).ValueOrDie();
    ExpectSame(*back, *records);
    EXPECT_EQ(back->column(8)->type_id(), arrow::Type::DECIMAL64);
  }
}

TEST(BatchFile, BitsOfDoublesComeBack) {
  const std::vector<uint64_t> bits = {0x8000000000000000, 0, 0x7FF8000000000000, 0xFFF8000000000123,
                                      0x7FF0000000000001};
  const auto array = std::make_shared<arrow::DoubleArray>(5, arrow::Buffer::FromVector(bits));
  const std::vector<Field> fields = {{"d", {TypeKind::kDouble}}};
  const auto back =
      RoundTrip(Batch{ToArrowSchema(fields).ValueOrDie(), {array}, 5}, fields).ValueOrDie();
  const auto& values = static_cast<const arrow::DoubleArray&>(*back->column(0));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(std::bit_cast<uint64_t>(values.Value(i)), bits[i]);
}

TEST(BatchFile, WritesTheSelectedRowsOnly) {
  Batch batch = ToBatch(EveryTypeBatch(20));
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{3, 4, 17});
  const auto back = RoundTrip(batch, EveryType()).ValueOrDie();
  ExpectSame(*back, *ToRecordBatch(batch, kPool).ValueOrDie());
}

TEST(BatchFile, SlicedColumnsComeBack) {
  const auto slice = EveryTypeBatch(50)->Slice(13, 20);
  ExpectSame(*RoundTrip(ToBatch(slice), EveryType()).ValueOrDie(), *slice);
}

TEST(BatchFile, WithoutColumnsTheRowCountRemains) {
  const Batch batch{arrow::schema(arrow::FieldVector{}), {}, 7};
  const auto back = RoundTrip(batch, {}).ValueOrDie();
  EXPECT_EQ(back->num_rows(), 7);
  EXPECT_EQ(back->num_columns(), 0);
}

TEST(BatchFile, NamesMayRepeatAndBeEmpty) {
  const std::vector<Field> fields = {
      {"a", {TypeKind::kLong}}, {"a", {TypeKind::kString}}, {"", {TypeKind::kLong}, false}};
  const auto records = BatchOf(fields, R"([[1,"x",2],[null,null,3]])");
  ExpectSame(*RoundTrip(ToBatch(records), fields).ValueOrDie(), *records);
}

TEST(BatchFile, ANullInAColumnSaidToHaveNoneIsKept) {
  const std::vector<Field> nullable = {{"a", {TypeKind::kLong}, true}};
  const std::vector<Field> required = {{"a", {TypeKind::kLong}, false}};
  const auto records = BatchOf(nullable, "[[1],[null]]");
  const auto back = RoundTrip(ToBatch(records), required).ValueOrDie();
  EXPECT_EQ(back->column(0)->null_count(), 1);
  EXPECT_FALSE(back->schema()->field(0)->nullable());
}

Batch Encoded(int64_t rows, int64_t values, size_t length) {
  arrow::StringDictionary32Builder builder;
  for (int64_t i = 0; i < rows; ++i) {
    const Status status =
        i % 11 == 5 ? builder.AppendNull()
                    : builder.Append(std::string(length, 'x') + std::to_string(i % values));
    EXPECT_TRUE(status.ok());
  }
  std::shared_ptr<arrow::Array> array;
  EXPECT_TRUE(builder.Finish(&array).ok());
  return Batch{arrow::schema({arrow::field("s", arrow::utf8())}), {array}, rows};
}

TEST(BatchFile, DictionariesStayEncoded) {
  ASSERT_TRUE(arrow::compute::Initialize().ok());
  const std::vector<Field> fields = {{"s", {TypeKind::kString}}};
  // The last is too large for Parquet's dictionary pages.
  for (const auto& [rows, values, length] :
       {std::tuple{100, 5, 3}, std::tuple{20000, 20000, 3}, std::tuple{20000, 19000, 300}}) {
    const Batch batch = Encoded(rows, values, length);
    const auto back = RoundTrip(batch, fields).ValueOrDie();
    EXPECT_EQ(back->column(0)->type_id(), arrow::Type::DICTIONARY) << values;
    Digester before(1), after(1);
    ASSERT_TRUE(before.Update(batch).ok());
    ASSERT_TRUE(after.Update(ToBatch(back)).ok());
    EXPECT_EQ(before.digest(), after.digest()) << values;
  }
}

TEST(BatchFile, ADictionaryLargerThanTheBatchIsDecoded) {
  Batch batch = Encoded(1000, 900, 10);
  batch.selection = arrow::Buffer::FromVector(std::vector<int32_t>{1, 2, 5});
  const auto back = RoundTrip(batch, {{"s", {TypeKind::kString}}}).ValueOrDie();
  EXPECT_EQ(back->column(0)->type_id(), arrow::Type::STRING);
  EXPECT_EQ(back->column(0)->ToString(), "[\n  \"xxxxxxxxxx1\",\n  \"xxxxxxxxxx2\",\n  null\n]");
}

TEST(BatchFile, MoreRowsThanAreListedAreNotDecoded) {
  const std::vector<Field> fields = {{"a", {TypeKind::kLong}}};
  const auto one = BatchOf(fields, "[[1]]");
  const auto column = arrow::MakeArrayFromScalar(**one->column(0)->GetScalar(0), 3'000'000);
  const auto bomb = arrow::RecordBatch::Make(one->schema(), 3'000'000, {*column});
  const auto bytes = EncodeBatch(ToBatch(bomb), fields, kPool).ValueOrDie();
  EXPECT_LT(bytes->size(), 100'000);
  arrow::ProxyMemoryPool pool(kPool);
  EXPECT_EQ(DecodeBatch(bytes->ToString(), fields, 250, &pool).status().message(),
            "has 3000000 rows, expected 250");
  EXPECT_LT(pool.max_memory(), 1'000'000);
}

TEST(BatchFile, PagesThatLieAboutTheirSizeAreNotAllocatedFor) {
  const std::vector<Field> fields = {{"a", {TypeKind::kString}}};
  std::string bytes = EncodeBatch(ToBatch(BatchOf(fields, R"([["x"],["y"]])")), fields, kPool)
                          .ValueOrDie()
                          ->ToString();
  // The first page's header: its type is field 1, what it says to have uncompressed field 2.
  ASSERT_EQ(bytes.substr(4, 3), "\x15\x04\x15");
  bytes.replace(7, 1, "\xFE\xFF\xFF\xFF\x0F");
  arrow::ProxyMemoryPool pool(kPool);
  EXPECT_THAT(DecodeBatch(bytes, fields, 2, &pool).status().message(),
              testing::HasSubstr("has a page that says it is larger than the "));
  EXPECT_LT(pool.max_memory(), 100'000);
}

TEST(BatchFile, SaysWhichColumnHasTheWrongType) {
  const std::vector<Field> fields = {{"a", {TypeKind::kLong}}};
  const auto records = BatchOf(fields, "[[1]]");
  EXPECT_EQ(EncodeBatch(ToBatch(records), {{"a", {TypeKind::kDate}}}, kPool).status().message(),
            "column 0 (a) has type int64, expected date32[day]");
  const auto bytes = EncodeBatch(ToBatch(records), fields, kPool).ValueOrDie();
  EXPECT_EQ(DecodeBatch(bytes->ToString(), fields, 2, kPool).status().message(),
            "has 1 rows, expected 2");
  EXPECT_EQ(DecodeBatch(bytes->ToString(), {}, 1, kPool).status().message(),
            "a batch of 1 columns, the schema has 0");
  EXPECT_FALSE(DecodeBatch("not Parquet at all", fields, 1, kPool).ok());
}

}  // namespace
}  // namespace reprise
