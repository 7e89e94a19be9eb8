#include "task/file_splits.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

OperatorSpec ScanBy(std::string_view partition_columns) {
  OperatorSpec spec;
  spec.kind = "parquet_scan";
  spec.arguments["partitionColumns"] = nlohmann::json::parse(partition_columns);
  return spec;
}

// (int 7, string "ab")
constexpr const char* kRow = "AAAAAAAAAAAHAAAAAAAAAAIAAAAYAAAAYWIAAAAAAAA=";

TEST(FileSplits, HaveTheirPartitionValues) {
  TaskLeaf leaf;
  leaf.files = {{"file:///a", 4, 10, kRow}, {"file:///b", 0, 1, kRow}};
  const auto splits = FileSplitsOf(leaf, ScanBy(R"([{"name":"i","type":"integer","nullable":true},
                                                    {"name":"s","type":"string","nullable":true}])"))
                          .ValueOrDie();
  ASSERT_EQ(splits.size(), 2u);
  EXPECT_EQ(splits[0].path, "file:///a");
  EXPECT_EQ(splits[0].start, 4);
  EXPECT_EQ(splits[0].length, 10);
  ASSERT_EQ(splits[1].partition_values.size(), 2u);
  EXPECT_EQ(splits[1].partition_values[0]->ToString(), "7");
  EXPECT_EQ(splits[1].partition_values[1]->ToString(), "ab");
}

TEST(FileSplits, NameTheFileOfValuesThatCannotBeRead) {
  TaskLeaf leaf;
  leaf.files = {{"file:///a", 0, 1, ""}};
  EXPECT_EQ(FileSplitsOf(leaf, ScanBy(R"([{"name":"i","type":"integer","nullable":true}])"))
                .status()
                .message(),
            "file:///a: partition values: row 0 has 0 bytes; a row of 1 fields has a multiple of 8 "
            "and at least 16");
  EXPECT_TRUE(FileSplitsOf(leaf, ScanBy("[]")).ValueOrDie()[0].partition_values.empty());
}

}  // namespace
}  // namespace reprise
