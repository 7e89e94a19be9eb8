#include "replay/links.h"

#include <gtest/gtest.h>

#include "dump/begin.h"
#include "dump/sample_dump.h"

namespace reprise {
namespace {

class LinksTest : public ::testing::Test {
 protected:
  // Records one operator in two partitions, with these rows in and out of each.
  OperatorDump Dump(int64_t lore_id, const std::vector<int64_t>& children,
                    const std::vector<std::string>& partitions) {
    const OperatorSpec spec = PassSpec(kLongAndText, lore_id);
    nlohmann::json capture = CaptureJson(folder_ / "dump", lore_id);
    capture["children"] = children;
    EXPECT_TRUE(BeginDump(BeginRequest(spec, capture, 2)).ok());
    for (int i = 0; i < static_cast<int>(partitions.size()); ++i) {
      const RecordBatches batches = {BatchOf(kLongAndText, partitions[static_cast<size_t>(i)])};
      EXPECT_TRUE(RecordPass(spec, capture, batches, i).ok());
    }
    return OperatorDump::Open(folder_ / ("dump/loreId-" + std::to_string(lore_id))).ValueOrDie();
  }

  TemporaryFolder folder_;
};

TEST_F(LinksTest, TheSameRowsInOtherPartitionsAreTheSame) {
  const std::vector<OperatorDump> dumps = {Dump(5, {6}, {R"([[2,"b"],[1,"a"]])", R"([[3,null]])"}),
                                           Dump(6, {}, {R"([[1,"a"]])", R"([[2,"b"],[3,null]])"})};
  const std::vector<Link> links = LinksOf(dumps);
  ASSERT_EQ(links.size(), 1);
  EXPECT_EQ(links[0].verdict, Link::Verdict::kSame) << links[0].why;
  EXPECT_EQ(links[0].reader, &dumps[0]);
  EXPECT_EQ(links[0].giver, &dumps[1]);
  EXPECT_EQ(links[0].rows_read, 3);
}

TEST_F(LinksTest, AnotherValueIsADifference) {
  const std::vector<OperatorDump> dumps = {Dump(5, {6}, {R"([[1,"a"]])", R"([[3,"c"]])"}),
                                           Dump(6, {}, {R"([[1,"a"]])", R"([[2,"c"]])"})};
  const std::vector<Link> links = LinksOf(dumps);
  ASSERT_EQ(links.size(), 1);
  EXPECT_EQ(links[0].verdict, Link::Verdict::kDiffers);
}

TEST_F(LinksTest, WithoutAPartitionNothingIsKnown) {
  const std::vector<OperatorDump> dumps = {Dump(5, {6}, {R"([[1,"a"]])", R"([[2,"b"]])"}),
                                           Dump(6, {}, {R"([[1,"a"]])"})};
  const std::vector<Link> links = LinksOf(dumps);
  ASSERT_EQ(links.size(), 1);
  EXPECT_EQ(links[0].verdict, Link::Verdict::kNotCompared);
  EXPECT_EQ(links[0].why, "partition 1 has no whole record");
}

TEST_F(LinksTest, OfWhatIsNotDumpedThereIsNoLink) {
  const std::vector<OperatorDump> dumps = {Dump(5, {7}, {R"([[1,"a"]])", R"([[2,"b"]])"})};
  EXPECT_TRUE(LinksOf(dumps).empty());
}

}  // namespace
}  // namespace reprise
