#include "replay/flame_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "replay/sampler.h"
#include "replay/symbols.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

// What the page's script gets.
nlohmann::json DataOf(const std::string& page) {
  const std::string_view begin = "const data = ";
  const size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find(";\n", at) - at));
}

TEST(FlamePage, HoldsTheFramesInDepthFirstOrder) {
  const CollapsedStacks stacks = {{{"main", "a"}, 3}, {{"main", "a", "b"}, 4}, {{"main", "c"}, 1}};
  const auto data = DataOf(FlamePage({"title", "subtitle", "samples"}, stacks));
  EXPECT_EQ(data["names"], nlohmann::json({"all", "main", "a", "b", "c"}));
  EXPECT_EQ(data["frames"], nlohmann::json::parse("[[0,0,8],[1,1,8],[2,2,7],[3,3,4],[2,4,1]]"));
  EXPECT_EQ(data["title"], "title");
  EXPECT_EQ(data["unit"], "samples");
}

TEST(FlamePage, ComparesTwoSetsOfStacks) {
  const CollapsedStacks before = {{{"main", "a"}, 3}, {{"main", "gone"}, 1}};
  const CollapsedStacks after = {{{"main", "a"}, 7}};
  const auto data =
      DataOf(DifferencePage({"t", "", "samples"}, before, after, {"median tasks", "slow tasks"}));
  EXPECT_EQ(data["names"], nlohmann::json({"all", "main", "a", "gone"}));
  EXPECT_EQ(data["frames"], nlohmann::json::parse("[[0,0,11],[1,1,11],[2,2,10],[2,3,1]]"));
  EXPECT_EQ(data["before"], nlohmann::json({4, 4, 3, 1}));
  EXPECT_EQ(data["compared"], nlohmann::json({"median tasks", "slow tasks"}));
}

TEST(FlamePage, StandsAloneAndKeepsMarkupText) {
  const std::string evil = "</script><img src=x onerror=alert(1)>";
  const std::string page = FlamePage({evil, "", "samples"}, {{{evil}, 1}});
  EXPECT_THAT(page, Not(HasSubstr(evil)));
  EXPECT_EQ(DataOf(page)["names"][1], evil);
  for (const char* outside : {"http:", "https:", "src=", "href=", "@import", "url("}) {
    EXPECT_THAT(FlamePage({"t", "", "samples"}, {}), Not(HasSubstr(outside))) << outside;
  }
}

TEST(FlamePage, DeepStacksAndForeignBytesArePages) {
  const std::vector<std::string> deep(20'000, "f");
  EXPECT_EQ(DataOf(FlamePage({"t", "", "s"}, {{deep, 2}}))["frames"].size(), 20'001u);
  EXPECT_EQ(DataOf(FlamePage({"t", "", "s"}, {{{"\xff"}, 2}}))["names"][1], "\xEF\xBF\xBD");
}

TEST(CollapsedStacks, AreReadFromLines) {
  const auto stacks = ParseCollapsedStacks("a;b 3\n\na;b 2\nwith blank;c 1").ValueOrDie();
  EXPECT_EQ(stacks, (CollapsedStacks{{{"a", "b"}, 5}, {{"with blank", "c"}, 1}}));
  EXPECT_EQ(ParseCollapsedStacks("a 1\nb x").status().message(),
            "line 2: expected frames and a count, found \"b x\"");
}

TEST(Symbols, NamesAreReadable) {
  EXPECT_EQ(ReadableName("main"), "main");
  EXPECT_EQ(ReadableName("_ZN7reprise12_GLOBAL__N_16Filter9NextBatchEv"),
            "reprise::(anonymous namespace)::Filter::NextBatch");
  EXPECT_EQ(ReadableName("_ZNK7reprise3SumclEii"), "reprise::Sum::operator()");
}

[[gnu::noinline]] double BurnTime(int64_t ns) {
  volatile double sum = 0;
  timespec start{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (timespec now = start;
       (now.tv_sec - start.tv_sec) * 1'000'000'000 + now.tv_nsec - start.tv_nsec < ns;
       clock_gettime(CLOCK_MONOTONIC, &now)) {
    for (int i = 0; i < 1000; ++i) sum = sum + i;
  }
  return sum;
}

TEST(Sampler, SeesWhatTheThreadDoes) {
  auto sampler = Sampler::Start(997).ValueOrDie();
  EXPECT_EQ(Sampler::Start(997).status().message(), "a profile is being taken already");
  BurnTime(300'000'000);
  sampler->Pause(true);
  BurnTime(100'000'000);
  sampler->Stop();
  EXPECT_GT(sampler->sample_count(), 20);
  EXPECT_LT(sampler->sample_count(), 340);
  int64_t here = 0;
  for (const auto& [frames, count] : sampler->Stacks()) {
    for (const std::string& frame : frames) {
      if (frame.ends_with("BurnTime")) here += count;
    }
  }
  EXPECT_GT(here, sampler->sample_count() / 2);
  EXPECT_TRUE(Sampler::Start(997).ok());
}

}  // namespace
}  // namespace reprise
