// Scans of ORC files that Arrow's writer has written: what the core reads, what it leaves to Spark,
// and that no damage does more than to give an error.
#include "scan/orc_scan.h"

#include <arrow/adapters/orc/adapter.h>
#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "scan/parquet_test_files.h"
#include "scan/piece_test_source.h"
#include "vocabulary/kinds.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Rows 0 … `rows` - 1: their number, a name of few, a long name, half of it; every ninth is null.
std::shared_ptr<arrow::Table> Numbers(int64_t rows) {
  arrow::Int64Builder n;
  arrow::StringBuilder s;
  arrow::StringBuilder u;
  arrow::DoubleBuilder x;
  arrow::BooleanBuilder b;
  for (int64_t i = 0; i < rows; ++i) {
    EXPECT_TRUE(n.Append(i).ok());
    EXPECT_TRUE((i % 9 == 0 ? s.AppendNull() : s.Append("name " + std::to_string(i % 5))).ok());
    EXPECT_TRUE(u.Append(std::to_string(i * 7919) + " is a name of its own").ok());
    EXPECT_TRUE((i % 9 == 0 ? x.AppendNull() : x.Append(static_cast<double>(i) / 2)).ok());
    EXPECT_TRUE(b.Append(i % 3 == 0).ok());
  }
  return arrow::Table::Make(
      arrow::schema({arrow::field("n", arrow::int64()), arrow::field("s", arrow::utf8()),
                     arrow::field("u", arrow::utf8()), arrow::field("x", arrow::float64()),
                     arrow::field("b", arrow::boolean())}),
      {*n.Finish(), *s.Finish(), *u.Finish(), *x.Finish(), *b.Finish()});
}

std::shared_ptr<arrow::DataType> PairType() {
  return arrow::struct_({arrow::field("a", arrow::int64()), arrow::field("b", arrow::utf8())});
}

/// Rows 0 … `rows` - 1: their number; a list of three numbers from it on, or of none, or null; a
/// struct of it and a name; a map of as many names as its last digit says.
std::shared_ptr<arrow::Table> Nested(int64_t rows) {
  arrow::MemoryPool* pool = arrow::default_memory_pool();
  arrow::Int64Builder n;
  auto numbers = std::make_shared<arrow::Int64Builder>();
  arrow::ListBuilder l(pool, numbers);
  auto a = std::make_shared<arrow::Int64Builder>();
  auto b = std::make_shared<arrow::StringBuilder>();
  arrow::StructBuilder t(PairType(), pool, {a, b});
  auto keys = std::make_shared<arrow::StringBuilder>();
  auto values = std::make_shared<arrow::Int64Builder>();
  arrow::MapBuilder m(pool, keys, values);
  Status made;
  for (int64_t i = 0; i < rows; ++i) {
    made &= n.Append(i);
    made &= i % 9 == 0 ? l.AppendNull() : l.Append();
    for (int64_t k = 0; i % 9 != 0 && i % 5 != 0 && k < 3; ++k) made &= numbers->Append(i + k);
    made &= i % 7 == 0 ? t.AppendNull() : t.Append();
    if (i % 7 != 0) {
      made &= a->Append(i);
      made &= i % 2 == 0 ? b->AppendNull() : b->Append("name " + std::to_string(i % 3));
    }
    made &= m.Append();
    for (int64_t k = 0; k < i % 10; ++k) {
      made &= keys->Append("key " + std::to_string(k));
      made &= values->Append(i * k);
    }
  }
  EXPECT_TRUE(made.ok()) << made;
  return arrow::Table::Make(
      arrow::schema({arrow::field("n", arrow::int64()),
                     arrow::field("l", arrow::list(arrow::int64())), arrow::field("t", PairType()),
                     arrow::field("m", arrow::map(arrow::utf8(), arrow::int64()))}),
      {*n.Finish(), *l.Finish(), *t.Finish(), *m.Finish()});
}

std::vector<Field> NestedFields() {
  const char* const l = R"({"type":"array","elementType":"long","containsNull":true})";
  const char* const t = R"({"type":"struct","fields":[
      {"name":"B","type":"string","nullable":true,"metadata":{}},
      {"name":"new","type":"date","nullable":true,"metadata":{}},
      {"name":"a","type":"long","nullable":true,"metadata":{}}]})";
  const char* const m =
      R"({"type":"map","keyType":"string","valueType":"long","valueContainsNull":true})";
  return {{"n", ParseDataType("long"), true},
          {"l", ParseDataType(l), true},
          {"t", ParseDataType(t), true},
          {"m", ParseDataType(m), true}};
}

std::vector<Field> NumberFields() {
  return {{"n", ParseDataType("long"), true},
          {"s", ParseDataType("string"), true},
          {"u", ParseDataType("string"), true},
          {"x", ParseDataType("double"), true},
          {"b", ParseDataType("boolean"), true}};
}

class OrcScanTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, int64_t rows,
                    arrow::Compression::type compression = arrow::Compression::ZSTD,
                    const decltype(&Numbers)& made = Numbers) {
    const std::string path = folder_.file(name);
    auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    arrow::adapters::orc::WriteOptions options;
    options.compression = compression;
    options.row_index_stride = 1000;
    options.dictionary_key_size_threshold = 0.5;
    auto writer = arrow::adapters::orc::ORCFileWriter::Open(out.get(), options).ValueOrDie();
    EXPECT_TRUE(writer->Write(*made(rows)).ok());
    EXPECT_TRUE(writer->Close().ok());
    EXPECT_TRUE(out->Close().ok());
    return path;
  }

  static OperatorSpec SpecOf(std::vector<Field> columns,
                             nlohmann::json pruning = nlohmann::json::array()) {
    OperatorSpec spec;
    spec.kind = kOrcScanKind;
    spec.name = "Scan";
    spec.output = columns;
    spec.arguments = {{"columns", ToJson(columns)},
                      {"partitionColumns", nlohmann::json::array()},
                      {"fileColumns", ToJson(NumberFields())},
                      {"pruning", std::move(pruning)},
                      {"caseSensitive", false}};
    return spec;
  }

  Result<std::vector<Batch>> Read(const std::string& path, OperatorSpec spec,
                                  bool has_spark = true) {
    FileSplit split;
    split.path = path;
    split.length = int64_t{1} << 40;
    parts_.clear();
    std::unique_ptr<PieceSource> pieces;
    if (has_spark) pieces = std::make_unique<NotedPieces>(&parts_);
    ARROW_ASSIGN_OR_RAISE(
        scan_, MakeOrcScan(std::move(spec), {split}, context_, nullptr, std::move(pieces)));
    std::vector<Batch> batches;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, scan_->Next());
      if (!batch) return batches;
      batches.push_back(std::move(*batch));
    }
  }

  /// Reads 150 damaged forms of a file: none does more than to give an error that names it.
  void CheckDamaged(const std::string& file, const std::vector<Field>& fields,
                    std::mt19937* random) {
    std::ifstream written(file, std::ios::binary);
    const std::string sound((std::istreambuf_iterator<char>(written)), {});
    const std::string path = folder_.file("damaged.orc");
    for (int i = 0; i < 150; ++i) {
      std::string damaged = sound;
      // Most of what can lie stands at the end.
      const size_t from = i % 2 == 0 ? 0 : sound.size() - std::min<size_t>(600, sound.size());
      for (int changes = i % 4; changes >= 0; --changes) {
        const char byte = static_cast<char>((*random)() % 3 == 0 ? 0xFF : (*random)());
        damaged[from + (*random)() % (sound.size() - from)] = byte;
      }
      if (i % 10 == 9) damaged.resize((*random)() % damaged.size());
      std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
      const auto batches = Read(path, SpecOf(fields), /*has_spark=*/false);
      if (!batches.ok()) {
        EXPECT_THAT(batches.status().message(), HasSubstr(path));
      }
    }
  }

  parquet_test::TemporaryFolder folder_;
  NotedPieces::Parts parts_;
  TaskContext context_;
  std::unique_ptr<Operator> scan_;
};

std::vector<int64_t> Words(std::string_view bytes) {
  std::vector<int64_t> words(bytes.size() / sizeof(int64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(int64_t));
  return words;
}

std::string TextAt(const arrow::Array& array, int64_t row) {
  return array.GetScalar(row).ValueOrDie()->ToString();
}

TEST_F(OrcScanTest, ColumnsHaveTheirValuesWhateverTheCompression) {
  for (const auto compression :
       {arrow::Compression::UNCOMPRESSED, arrow::Compression::GZIP, arrow::Compression::SNAPPY,
        arrow::Compression::LZ4, arrow::Compression::ZSTD}) {
    const auto batches =
        Read(Write("f.orc", 5000, compression), SpecOf(NumberFields())).ValueOrDie();
    int64_t row = 0;
    for (const Batch& batch : batches) {
      const auto& n = static_cast<const arrow::Int64Array&>(*batch.columns[0]);
      const auto& x = static_cast<const arrow::DoubleArray&>(*batch.columns[3]);
      const auto& b = static_cast<const arrow::BooleanArray&>(*batch.columns[4]);
      for (int64_t i = 0; i < batch.row_count; ++i, ++row) {
        ASSERT_EQ(n.Value(i), row);
        ASSERT_EQ(x.IsNull(i), row % 9 == 0);
        if (x.IsValid(i)) {
          ASSERT_EQ(x.Value(i), static_cast<double>(row) / 2);
        }
        ASSERT_EQ(b.Value(i), row % 3 == 0);
      }
      EXPECT_EQ(batch.columns[1]->type_id(), arrow::Type::DICTIONARY);
      EXPECT_THAT(TextAt(*batch.columns[1], 4), HasSubstr("name 4"));
      EXPECT_EQ(TextAt(*batch.columns[2], 1), "7919 is a name of its own");
    }
    EXPECT_EQ(row, 5000);
    EXPECT_THAT(parts_, IsEmpty());
  }
}

TEST_F(OrcScanTest, NestedColumnsAreTheBytesOfSparksRows) {
  const std::string path = Write("f.orc", 3000, arrow::Compression::ZSTD, Nested);
  const auto batches = Read(path, SpecOf(NestedFields())).ValueOrDie();
  EXPECT_THAT(parts_, IsEmpty());
  int64_t row = 0;
  for (const Batch& batch : batches) {
    const auto& l = static_cast<const arrow::BinaryArray&>(*batch.columns[1]);
    const auto& t = static_cast<const arrow::BinaryArray&>(*batch.columns[2]);
    const auto& m = static_cast<const arrow::BinaryArray&>(*batch.columns[3]);
    for (int64_t i = 0; i < batch.row_count; ++i, ++row) {
      ASSERT_EQ(l.IsNull(i), row % 9 == 0) << row;
      ASSERT_EQ(t.IsNull(i), row % 7 == 0) << row;
      // The number of elements, a word of nulls, the elements.
      if (l.IsValid(i)) {
        const auto words = Words(l.GetView(i));
        ASSERT_EQ(words, row % 5 == 0 ? std::vector<int64_t>{0}
                                      : (std::vector<int64_t>{3, 0, row, row + 1, row + 2}));
      }
      // Nulls, where the name lies, nothing, the number.
      if (t.IsValid(i)) {
        const auto words = Words(t.GetView(i));
        ASSERT_EQ(words[0], row % 2 == 0 ? 3 : 2) << row;
        ASSERT_EQ(words[3], row);
      }
      // The keys' bytes, keys, values.
      ASSERT_EQ(Words(m.GetView(i))[1], row % 10);
    }
  }
  EXPECT_EQ(row, 3000);
}

TEST_F(OrcScanTest, NestedColumnsGoToTheirOwnPlacesWhereGroupsAreLeftOut) {
  const DataType type = ParseDataType("long");
  const ExpressionSpec column = {"column", type, true, {{"index", 0}}, {}};
  const ExpressionSpec literal = {"literal", type, true, {{"value", 2500}}, {}};
  const nlohmann::json pruning = {ToJson(parquet_test::Condition("greater", {column, literal}))};
  const std::string path = Write("f.orc", 5000, arrow::Compression::ZSTD, Nested);
  const auto batches = Read(path, SpecOf(NestedFields(), pruning)).ValueOrDie();
  EXPECT_THAT(scan_->metrics().extra, ElementsAre(3, 2, ::testing::Gt(0), 0));
  const auto& l = static_cast<const arrow::BinaryArray&>(*batches.at(0).columns[1]);
  EXPECT_THAT(Words(l.GetView(1)), ElementsAre(3, 0, 2001, 2002, 2003));
  const auto& t = static_cast<const arrow::BinaryArray&>(*batches.at(0).columns[2]);
  EXPECT_EQ(Words(t.GetView(1))[3], 2001);
  const auto& m = static_cast<const arrow::BinaryArray&>(*batches.at(0).columns[3]);
  EXPECT_EQ(Words(m.GetView(9))[1], 9);
}

TEST_F(OrcScanTest, GroupsOfRowsAreLeftOutByTheIndex) {
  const DataType type = ParseDataType("long");
  const ExpressionSpec column = {"column", type, true, {{"index", 0}}, {}};
  const ExpressionSpec literal = {"literal", type, true, {{"value", 2500}}, {}};
  const nlohmann::json pruning = {ToJson(parquet_test::Condition("greater", {column, literal}))};
  const auto batches = Read(Write("f.orc", 5000), SpecOf(NumberFields(), pruning)).ValueOrDie();
  ASSERT_FALSE(batches.empty());
  EXPECT_EQ(static_cast<const arrow::Int64Array&>(*batches[0].columns[0]).Value(0), 2000);
  EXPECT_EQ(TextAt(*batches[0].columns[2], 1),
            std::to_string(2001 * 7919) + " is a name of its own");
  int64_t rows = 0;
  for (const Batch& batch : batches) rows += batch.row_count;
  EXPECT_EQ(rows, 3000);
  EXPECT_THAT(scan_->metrics().extra, ElementsAre(3, 2, ::testing::Gt(0), 0));
}

TEST_F(OrcScanTest, OtherTypesAreReadBySparkAndMissingColumnsAreNull) {
  const std::string path = Write("f.orc", 100);
  EXPECT_THAT(Read(path, SpecOf({{"n", ParseDataType("integer"), true}})).ValueOrDie(), IsEmpty());
  ASSERT_EQ(parts_.size(), 1);
  EXPECT_EQ(parts_[0].second, int64_t{1} << 40);
  const auto error = Read(path, SpecOf({{"n", ParseDataType("integer"), true}}), false).status();
  EXPECT_THAT(error.message(), HasSubstr("replay it with --engine spark"));
  const auto batches =
      Read(path, SpecOf({{"N", ParseDataType("long"), true}, {"new", ParseDataType("date"), true}}))
          .ValueOrDie();
  ASSERT_EQ(batches.size(), 1);
  EXPECT_EQ(batches[0].columns[0]->null_count(), 0);
  EXPECT_EQ(batches[0].columns[1]->null_count(), 100);
}

TEST_F(OrcScanTest, WhatIsNoOrcIsAnErrorThatNamesIt) {
  const std::string path = folder_.file("text.orc");
  for (const char* text : {"", "x", "no file of this kind"}) {
    std::ofstream(path, std::ios::binary) << text;
    const auto error = Read(path, SpecOf(NumberFields()), false).status();
    EXPECT_THAT(error.message(), HasSubstr(path));
    EXPECT_NE(SparkErrorOf(error), nullptr);
    EXPECT_TRUE(Read(path, SpecOf(NumberFields())).ok()) << "it is Spark's to say what is wrong";
    EXPECT_EQ(parts_.size(), 1);
  }
}

// Under the address sanitizer this finds what reads or writes beside its bounds.
TEST_F(OrcScanTest, DamageIsAnErrorAtMost) {
  std::mt19937 random(7);
  for (const auto compression : {arrow::Compression::UNCOMPRESSED, arrow::Compression::ZSTD,
                                 arrow::Compression::GZIP, arrow::Compression::LZ4}) {
    CheckDamaged(Write("sound.orc", 2500, compression), NumberFields(), &random);
    CheckDamaged(Write("sound.orc", 2500, compression, Nested), NestedFields(), &random);
  }
}

}  // namespace
}  // namespace reprise
