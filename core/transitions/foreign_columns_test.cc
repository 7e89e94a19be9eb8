#include "transitions/foreign_columns.h"

#include <arrow/io/memory.h>
#include <arrow/ipc/dictionary.h>
#include <arrow/ipc/reader.h>
#include <gtest/gtest.h>

#include "transitions/arrow_source.h"
#include "transitions/nested_column.h"
#include "transitions/spark_rows.h"

namespace reprise {
namespace {

/// Columns as others hold them: the buffers of arrays in the types of Arrow's that Spark uses.
class Foreign {
 public:
  explicit Foreign(arrow::ArrayVector arrays) : arrays_(std::move(arrays)) {
    columns_.rows = arrays_[0]->length();
    for (const auto& array : arrays_) Add(*array->data());
  }
  ForeignColumns& columns() { return columns_; }

 private:
  void Add(const arrow::ArrayData& data) {
    for (const auto& buffer : data.buffers) {
      columns_.buffers.push_back(
          buffer == nullptr
              ? std::span<const uint8_t>()
              : std::span<const uint8_t>(buffer->data(), static_cast<size_t>(buffer->size())));
    }
    for (const auto& child : data.child_data) Add(*child);
  }

  arrow::ArrayVector arrays_;
  ForeignColumns columns_;
};

std::vector<DataType> TypesOf(const std::vector<std::string>& names) {
  std::vector<DataType> types;
  for (const std::string& name : names) types.push_back(ParseDataType(name));
  return types;
}

const std::vector<std::string> kForeignTypes = {
    "boolean", "byte",   "short",         "integer",       "long", "float",     "double",
    "string",  "binary", "decimal(18,2)", "decimal(20,2)", "date", "timestamp", "timestamp_ntz"};
const std::vector<std::string> kForeignValues = {"[true, null, false]",
                                                 "[1, null, -3]",
                                                 "[1, null, -3]",
                                                 "[1, null, -3]",
                                                 "[1, null, -3]",
                                                 "[1.5, null, -0.0]",
                                                 "[1.5, null, -0.0]",
                                                 R"(["a", null, ""])",
                                                 R"(["a", null, ""])",
                                                 R"(["1234567890123456.78", null, "-0.01"])",
                                                 R"(["123456789012345678.90", null, "-0.01"])",
                                                 "[1, null, -3]",
                                                 "[1, null, -3]",
                                                 "[1, null, -3]"};

Batch EveryType() {
  Batch batch{nullptr, {}, 3, nullptr};
  for (size_t i = 0; i < kForeignTypes.size(); ++i) {
    batch.columns.push_back(FromJson(ParseDataType(kForeignTypes[i]), kForeignValues[i]));
  }
  return batch;
}

std::vector<int> AllOf(const Batch& batch) {
  std::vector<int> columns;
  for (int i = 0; i < std::ssize(batch.columns); ++i) columns.push_back(i);
  return columns;
}

arrow::ArrayVector ReadMessage(const Batch& batch, bool as_struct) {
  arrow::FieldVector fields;
  for (const auto& column : batch.columns) {
    auto type = column->type();
    if (type->id() == arrow::Type::DECIMAL64) {
      const auto& decimal = static_cast<const arrow::DecimalType&>(*type);
      type = arrow::decimal128(decimal.precision(), decimal.scale());
    }
    fields.push_back(arrow::field("c", type));
  }
  if (as_struct) fields = {arrow::field("c", arrow::struct_(fields))};
  const auto message = RecordBatchMessage(batch, AllOf(batch), as_struct).ValueOrDie();
  arrow::io::BufferReader stream(message);
  arrow::ipc::DictionaryMemo memo;
  const auto records = arrow::ipc::ReadRecordBatch(arrow::schema(fields), &memo,
                                                   arrow::ipc::IpcReadOptions::Defaults(), &stream)
                           .ValueOrDie();
  EXPECT_TRUE(records->ValidateFull().ok());
  return records->columns();
}

TEST(ForeignColumns, WhatGoesAwayComesBack) {
  const Batch batch = EveryType();
  Foreign foreign(ReadMessage(batch, /*as_struct=*/false));
  const auto columns =
      CopyForeign(foreign.columns(), TypesOf(kForeignTypes), arrow::default_memory_pool())
          .ValueOrDie();
  for (size_t i = 0; i < columns.size(); ++i) {
    EXPECT_TRUE(columns[i]->ValidateFull().ok());
    EXPECT_TRUE(columns[i]->Equals(*batch.columns[i])) << kForeignTypes[i];
  }
}

/// Columns of nested values as others hold them, with their types.
struct Nested {
  DataType type;
  std::shared_ptr<arrow::Array> values;
};

std::vector<Nested> NestedColumns() {
  const std::pair<const char*, const char*> texts[] = {
      {R"({"type":"array","elementType":"integer","containsNull":true})", "[[1, null], [], null]"},
      {R"({"type":"array","elementType":{"type":"array","elementType":"string",)"
       R"("containsNull":true},"containsNull":true})",
       R"([[["a", null], [], null], null, [["ü"]]])"},
      {R"({"type":"map","keyType":"string","valueType":"boolean","valueContainsNull":true})",
       R"([[["a", true], ["b", null]], null, []])"},
      {R"({"type":"struct","fields":[{"name":"n","type":"long","nullable":true},)"
       R"-({"name":"d","type":"decimal(25,2)","nullable":true},)-"
       R"({"name":"l","type":{"type":"array","elementType":"date","containsNull":true},)"
       R"("nullable":true}]})",
       R"([{"n": 1, "d": "-0.25", "l": [1, null]}, null, {"n": null, "d": null, "l": null}])"}};
  std::vector<Nested> columns;
  for (const auto& [type, values] : texts) {
    const DataType nested{TypeKind::kOther, 0, 0, type};
    const auto arrow_type = ReadableType(nested).ValueOrDie();
    columns.push_back({nested, arrow::json::ArrayFromJSONString(arrow_type, values).ValueOrDie()});
  }
  return columns;
}

TEST(ForeignColumns, NestedOnesComeAndGoAway) {
  for (const Nested& nested : NestedColumns()) {
    Foreign foreign({nested.values});
    arrow::MemoryPool* const pool = arrow::default_memory_pool();
    const auto columns = CopyForeign(foreign.columns(), {nested.type}, pool).ValueOrDie();
    const auto read = ReadableColumn(columns[0], nested.type, pool).ValueOrDie();
    EXPECT_TRUE(read->Equals(*nested.values)) << read->ToString();

    const auto schema = ForeignSchema({{"c", nested.type, true}}).ValueOrDie();
    const Batch batch{schema, {columns[0]}, 3, nullptr};
    const auto message = RecordBatchMessage(batch, {0}, /*as_struct=*/false).ValueOrDie();
    arrow::io::BufferReader stream(message);
    arrow::ipc::DictionaryMemo memo;
    const auto records =
        arrow::ipc::ReadRecordBatch(arrow::schema({arrow::field("c", nested.values->type())}),
                                    &memo, arrow::ipc::IpcReadOptions::Defaults(), &stream)
            .ValueOrDie();
    EXPECT_TRUE(records->ValidateFull().ok());
    EXPECT_TRUE(records->column(0)->Equals(*nested.values)) << nested.type.text;
  }
}

TEST(ForeignColumns, NothingIsReadBeyondABufferOfNestedOnes) {
  const Nested arrays = NestedColumns()[0];
  Foreign foreign({arrays.values});
  const std::vector<int32_t> offsets = {0, 2, 2, 9};
  foreign.columns().buffers[1] = {reinterpret_cast<const uint8_t*>(offsets.data()), 16};
  EXPECT_EQ(CopyForeign(foreign.columns(), {arrays.type}, arrow::default_memory_pool())
                .status()
                .message(),
            "column 0: a buffer has 1 bytes, its rows need 2");
}

TEST(ForeignColumns, OffsetsOfColumnsAreHeeded) {
  Batch batch = EveryType();
  for (auto& column : batch.columns) column = column->Slice(1, 2);
  batch.row_count = 2;
  Foreign foreign(ReadMessage(batch, /*as_struct=*/false));
  const auto columns =
      CopyForeign(foreign.columns(), TypesOf(kForeignTypes), arrow::default_memory_pool())
          .ValueOrDie();
  for (size_t i = 0; i < columns.size(); ++i) {
    EXPECT_TRUE(columns[i]->Equals(*batch.columns[i])) << kForeignTypes[i];
  }
}

TEST(ForeignColumns, AStructHasTheColumnsAsFields) {
  const Batch batch = EveryType();
  const auto columns = ReadMessage(batch, /*as_struct=*/true);
  const auto& all = static_cast<const arrow::StructArray&>(*columns[0]);
  EXPECT_EQ(all.null_count(), 0);
  EXPECT_TRUE(all.field(4)->Equals(*batch.columns[4]));
}

TEST(ForeignColumns, NothingIsReadBeyondABuffer) {
  const auto error = [](ForeignColumns columns, const std::string& type) {
    return CopyForeign(columns, TypesOf({type}), arrow::default_memory_pool()).status().message();
  };
  Foreign longs({FromJson(ParseDataType("long"), "[1, 2]")});
  longs.columns().rows = 3;
  EXPECT_EQ(error(longs.columns(), "long"), "column 0: a buffer has 16 bytes, its rows need 24");
  longs.columns().buffers.pop_back();
  EXPECT_EQ(error(longs.columns(), "long"), "column 0: a column lacks a buffer");
  Foreign texts({FromJson(ParseDataType("string"), R"(["ab", "c"])")});
  EXPECT_EQ(error(texts.columns(), "long"), "column 0: a buffer has 12 bytes, its rows need 16");
  EXPECT_EQ(error(texts.columns(), "integer"), "there are buffers of more than 1 columns");
  std::vector<int32_t> offsets = {0, 3, 2};
  texts.columns().buffers[1] = {reinterpret_cast<const uint8_t*>(offsets.data()), 12};
  EXPECT_EQ(error(texts.columns(), "string"), "column 0: the offsets of a column go back at row 1");
  offsets = {0, 2, 70};
  EXPECT_EQ(error(texts.columns(), "string"), "column 0: a buffer has 3 bytes, its rows need 70");
}

TEST(ForeignColumns, AColumnThatIsNotThereIsAnError) {
  EXPECT_EQ(RecordBatchMessage(EveryType(), {99}, false).status().message(),
            "column 99 is asked for, of 14");
}

}  // namespace
}  // namespace reprise
