#include "flame/flame_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  EXPECT_EQ(data["events"], false);
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

}  // namespace
}  // namespace reprise
