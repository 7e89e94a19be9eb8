#include "scan/parquet_scan_fixture.h"

namespace reprise {
namespace {

using namespace parquet_test;  // NOLINT: the test's own vocabulary

using ParquetStringsTest = ParquetScanTest;

TEST_F(ParquetStringsTest, ReadsStringsAndBinaries) {
  ExpectColumn(TextColumn("s", {"a", std::nullopt, "", "grüße"}), {TypeKind::kString},
               R"(["a",null,"","grüße"])");
  ExpectColumn(TextColumn("s", {"a", std::nullopt, "b"}, parquet::LogicalType::None()),
               {TypeKind::kBinary}, R"(["a",null,"b"])");
  ExpectColumn(FixedColumn("s", {"ab", std::nullopt, "cd"}, 2), {TypeKind::kBinary},
               R"(["ab",null,"cd"])");
  ExpectColumn(TextColumn("s", {std::nullopt, std::nullopt}), {TypeKind::kString}, "[null,null]");
}

TEST_F(ParquetStringsTest, KeepsDictionaryEncodedStringsEncoded) {
  for (const bool nulls : {false, true}) {
    context_.batch_rows_target = 300;
    const auto texts = RepeatedTexts(1000, 7, nulls);
    WriteOptions options;
    options.properties = parquet::WriterProperties::Builder().data_pagesize(100)->build();
    auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    ASSERT_EQ(output->batches.size(), 4u);
    for (const auto& batch : output->batches) {
      ASSERT_EQ(batch.columns[0]->type_id(), arrow::Type::DICTIONARY);
      const auto& encoded = static_cast<const arrow::DictionaryArray&>(*batch.columns[0]);
      EXPECT_EQ(encoded.dictionary()->length(), 7);
      EXPECT_EQ(encoded.dictionary()->null_count(), 0);
    }
    // One dictionary for the whole chunk: who looks at its values needs to do so once.
    const auto dictionary = [&](int batch) {
      return output->batches[batch].columns[0]->data()->dictionary;
    };
    EXPECT_EQ(dictionary(0), dictionary(3));
    ExpectTexts(*output->column(0), texts);
  }
}

TEST_F(ParquetStringsTest, ReadsChunksThatFallBackFromTheDictionary) {
  for (const bool nulls : {false, true}) {
    for (const auto version :
         {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
      context_.batch_rows_target = 64;
      // At first few values, then only new ones, for which the dictionary has no room.
      auto texts = RepeatedTexts(700, 7, nulls);
      for (const auto& text : RepeatedTexts(1300, 1299, nulls)) texts.push_back(text);
      WriteOptions options;
      options.properties = parquet::WriterProperties::Builder()
                               .dictionary_pagesize_limit(200)
                               ->data_pagesize(512)
                               ->write_batch_size(16)
                               ->data_page_version(version)
                               ->build();
      auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString}, options);
      ASSERT_TRUE(output.ok()) << output.status();
      EXPECT_EQ(output->batches.front().columns[0]->type_id(), arrow::Type::DICTIONARY);
      EXPECT_EQ(output->batches.back().columns[0]->type_id(), arrow::Type::STRING);
      ExpectTexts(*output->column(0), texts);
    }
  }
}

TEST_F(ParquetStringsTest, ReadsEveryEncodingOfStrings) {
  for (const auto encoding : {parquet::Encoding::PLAIN, parquet::Encoding::DELTA_BYTE_ARRAY,
                              parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY}) {
    context_.batch_rows_target = 100;
    const auto texts = RepeatedTexts(1000, 300, true);
    WriteOptions options;
    options.properties = parquet::WriterProperties::Builder()
                             .disable_dictionary()
                             ->encoding(encoding)
                             ->data_pagesize(512)
                             ->write_batch_size(16)
                             ->build();
    auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString}, options);
    ASSERT_TRUE(output.ok()) << output.status();
    ExpectTexts(*output->column(0), texts);
  }
}

TEST_F(ParquetStringsTest, DecodesDictionariesThatAreGreatForABatch) {
  const auto texts = RepeatedTexts(1000, 999, true);
  auto output = RoundTrip(TextColumn("s", texts), {TypeKind::kString});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->batches[0].columns[0]->type_id(), arrow::Type::STRING);
  ExpectTexts(*output->column(0), texts);
}

}  // namespace
}  // namespace reprise
