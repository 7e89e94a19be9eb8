#include "lineage/recorded_results.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace reprise {
namespace {

TEST(RecordedResults, AreReadUpToWhereTheRecordingIsWhole) {
  const std::string folder = testing::TempDir() + "/recorded-results";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/lineage.jsonl")
      << "00000000 {\"recording\":{\"format\":1}}\n\n"
         "00000000 {\"result\":{\"task\":7,\"stage\":2,\"partition\":1,\"class\":\"[I\",\"text\":"
         "\"Array(2)\",\"object\":{\"offset\":0}}}\n"
         "00000000 {\"result\":{\"task\":8,\"stage\":2,\"partition\":0,\"reason\":\"no\"}}\n"
         "00000000 {\"result\":{\"task\":9,\"sta";
  const auto results = ReadRecordedResults(folder).ValueOrDie();
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].task, 7);
  EXPECT_EQ(results[0].stage, 2);
  EXPECT_EQ(results[0].partition, 1);
  EXPECT_EQ(results[0].class_name, "[I");
  EXPECT_EQ(results[0].text, "Array(2)");
  EXPECT_EQ(results[1].reason, "no");
  EXPECT_EQ(ReadRecordedResults("/nowhere").status().message(),
            "/nowhere is no recording of a lineage: it has no file lineage.jsonl");
}

}  // namespace
}  // namespace reprise
