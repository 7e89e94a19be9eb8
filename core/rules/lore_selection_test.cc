#include "rules/lore_selection.h"

#include <gtest/gtest.h>

namespace reprise {
namespace {

using Partitions = std::vector<int32_t>;

std::string SelectionError(std::string_view text) {
  const auto selection = ParseLoreSelection(text);
  return selection.ok() ? "no error" : selection.status().message();
}

std::string SelectionMessage(std::string_view what, std::string_view text, int column) {
  return "spark.reprise.lore.idsToDump: " + std::string(what) + " at character " +
         std::to_string(column) + "\n  " + std::string(text) + "\n  " +
         std::string(static_cast<size_t>(column - 1), ' ') + "^";
}

TEST(LoreSelectionTest, ReadsIdsAndPartitions) {
  const auto selection = ParseLoreSelection("1[*], 2[0 4-6 7]");
  ASSERT_TRUE(selection.ok()) << selection.status();
  ASSERT_EQ(selection->choices.size(), 2u);
  EXPECT_EQ(selection->choices[0].lore_id, 1);
  EXPECT_FALSE(selection->choices[0].partitions.has_value());
  EXPECT_EQ(*selection->choices[1].partitions, (Partitions{0, 4, 5, 7}));
}

TEST(LoreSelectionTest, SpacesDoNotMatter) {
  const auto selection = ParseLoreSelection("  12 [ 3\t1-2 ] ,4[ * ]  ");
  ASSERT_TRUE(selection.ok()) << selection.status();
  EXPECT_EQ(selection->choices[0].lore_id, 12);
  EXPECT_EQ(*selection->choices[0].partitions, (Partitions{1, 3}));
  EXPECT_FALSE(selection->choices[1].partitions.has_value());
  EXPECT_TRUE(ParseLoreSelection("")->empty());
  EXPECT_TRUE(ParseLoreSelection("   ")->empty());
}

TEST(LoreSelectionTest, ReadsNamesAndFingerprints) {
  const auto selection =
      ParseLoreSelection("Filter#0[*], HashAggregate#12[1-3] ,0123456789ABCdef[2]");
  ASSERT_TRUE(selection.ok()) << selection.status();
  ASSERT_EQ(selection->choices.size(), 3u);
  EXPECT_EQ(selection->choices[0].occurrence, "Filter#0");
  EXPECT_EQ(selection->choices[1].occurrence, "HashAggregate#12");
  EXPECT_EQ(*selection->choices[1].partitions, (Partitions{1, 2}));
  EXPECT_EQ(selection->choices[2].fingerprint, "0123456789abcdef");
  EXPECT_EQ(ParseLoreSelection("Filter#007[*]")->choices[0].occurrence, "Filter#7");
  EXPECT_EQ(ParseLoreSelection("1234567890123456[*]")->choices[0].fingerprint, "1234567890123456");
}

TEST(LoreSelectionTest, ReadsStagesAndQueries) {
  auto selection = ParseLoreSelection("stage:5[1], query, 7[*]");
  ASSERT_TRUE(selection.ok()) << selection.status();
  selection->ResolveStages([](int64_t lore_id) {
    return lore_id == 0 ? std::set<int64_t>{4, 5, 7, 9} : std::set<int64_t>{4, 5};
  });
  EXPECT_EQ(selection->choices[0].Text(), "stage:5");
  EXPECT_EQ(selection->choices[1].Text(), "query");
  EXPECT_EQ(*selection->Find(9, "Filter#0", ""), std::nullopt) << "all partitions";
  EXPECT_FALSE(selection->Find(3, "Filter#0", "").has_value());
  EXPECT_TRUE(selection->IsOfStagesAlone(5, "Filter#0", ""));
  EXPECT_FALSE(selection->IsOfStagesAlone(7, "Filter#0", ""));
  EXPECT_EQ(SelectionError("stage:0"), SelectionMessage("LORE ids start at 1", "stage:0", 7));
  EXPECT_EQ(SelectionError("stage:x"),
            SelectionMessage("expected the LORE id of an operator of the stage", "stage:x", 7));
}

TEST(LoreSelectionTest, AStageThatAPlanDoesNotHaveIsKnownByTheOperatorNamed) {
  auto selection = ParseLoreSelection("stage:5");
  ASSERT_TRUE(selection.ok()) << selection.status();
  selection->ResolveStages([](int64_t) { return std::set<int64_t>(); });
  EXPECT_TRUE(selection->Find(5, "", "").has_value());
  EXPECT_FALSE(selection->Find(4, "", "").has_value());
}

TEST(LoreSelectionTest, AnOperatorGetsWhatItsNamesChooseTogether) {
  const auto selection = ParseLoreSelection("5[1 3], Filter#0[2-4], 00000000000000ab[*]");
  ASSERT_TRUE(selection.ok()) << selection.status();
  EXPECT_EQ(**selection->Find(5, "Filter#0", "0"), (Partitions{1, 2, 3}));
  EXPECT_EQ(**selection->Find(5, "Sort#0", "0"), (Partitions{1, 3}));
  EXPECT_EQ(*selection->Find(5, "Sort#0", "00000000000000ab"), std::nullopt);
  EXPECT_FALSE(selection->Find(6, "Filter#1", "0").has_value());
}

TEST(LoreSelectionTest, ChoosesManyAtOnce) {
  auto selection = ParseLoreSelection("*, Filter, 5+, 8+[2 3], Sort[1]");
  ASSERT_TRUE(selection.ok()) << selection.status();
  ASSERT_EQ(selection->choices.size(), 5u);
  for (const LoreChoice& choice : selection->choices) EXPECT_TRUE(choice.is_group());
  EXPECT_EQ(*selection->Find(1, "Scan#0", ""), std::nullopt);
  EXPECT_FALSE(selection->Find(0, "", "").has_value());

  selection = ParseLoreSelection("5+[4], Filter[1]");
  selection->Resolve([](int64_t lore_id) { return lore_id + 2; });
  EXPECT_EQ(**selection->Find(5, "Sort#0", ""), (Partitions{4}));
  EXPECT_EQ(**selection->Find(7, "Filter#3", ""), (Partitions{1, 4}));
  EXPECT_EQ(**selection->Find(9, "Filter#4", ""), (Partitions{1}));
  EXPECT_FALSE(selection->Find(8, "FilterLike#0", "").has_value());
  EXPECT_FALSE(selection->Find(4, "Sort#1", "").has_value());
}

TEST(LoreSelectionTest, TakesAllPartitionsAsPagesShowThem) {
  for (const char* text : {"1[]", "1[ ]", "1[\\*]"}) {
    const auto selection = ParseLoreSelection(text);
    ASSERT_TRUE(selection.ok()) << selection.status();
    EXPECT_FALSE(selection->choices[0].partitions.has_value());
  }
}

TEST(LoreSelectionTest, ErrorsPointAtTheCharacter) {
  EXPECT_EQ(SelectionError("1, 2"),
            SelectionMessage("expected '[' and partitions, such as [*] or [0 4-6]", "1, 2", 2));
  EXPECT_EQ(SelectionError("1"),
            SelectionMessage("expected '[' and partitions, such as [*] or [0 4-6]", "1", 2));
  EXPECT_EQ(SelectionError("5+[0], 5+"),
            SelectionMessage("LORE id 5+ is chosen twice", "5+[0], 5+", 8));
  const char kOperator[] = "expected a LORE id, a name such as Filter#0, or a fingerprint";
  EXPECT_EQ(SelectionError("-1[*]"), SelectionMessage(kOperator, "-1[*]", 1));
  EXPECT_EQ(SelectionError("[*]"), SelectionMessage(kOperator, "[*]", 1));
  EXPECT_EQ(SelectionError("#1[*]"),
            SelectionMessage("expected an operator's name before '#'", "#1[*]", 1));
  EXPECT_EQ(SelectionError("Filter#[*]"),
            SelectionMessage("expected the number of the occurrence", "Filter#[*]", 8));
  EXPECT_EQ(SelectionError("Filter#x[*]"),
            SelectionMessage("expected the number of the occurrence", "Filter#x[*]", 8));
  EXPECT_EQ(
      SelectionError("Filter#1x[*]"),
      SelectionMessage("expected '[' and partitions, such as [*] or [0 4-6]", "Filter#1x[*]", 9));
  EXPECT_EQ(SelectionError("01ab[*]"),
            SelectionMessage("a fingerprint has 16 hexadecimal digits, this has 4", "01ab[*]", 1));
  EXPECT_EQ(SelectionError("A#1[*], A#01[2]"),
            SelectionMessage("A#1 is chosen twice", "A#1[*], A#01[2]", 9));
  EXPECT_EQ(SelectionError("5x[*]"),
            SelectionMessage("expected '[' and partitions, such as [*] or [0 4-6]", "5x[*]", 2));
  EXPECT_EQ(SelectionError("0[*]"), SelectionMessage("LORE ids start at 1", "0[*]", 1));
  EXPECT_EQ(SelectionError("1[4-4]"),
            SelectionMessage("the range 4-4 is empty (a range excludes its end)", "1[4-4]", 3));
  EXPECT_EQ(SelectionError("1[0 6-4]"),
            SelectionMessage("the range 6-4 is empty (a range excludes its end)", "1[0 6-4]", 5));
  EXPECT_EQ(
      SelectionError("1[* 3]"),
      SelectionMessage("expected ']' after '*', which stands for all partitions", "1[* 3]", 5));
  EXPECT_EQ(SelectionError("1[3 *]"),
            SelectionMessage("'*' cannot stand beside other partitions", "1[3 *]", 5));
  EXPECT_EQ(SelectionError("1[3 2-5]"),
            SelectionMessage("partition 3 is chosen twice", "1[3 2-5]", 5));
  EXPECT_EQ(SelectionError("1[*], 1[2]"),
            SelectionMessage("LORE id 1 is chosen twice", "1[*], 1[2]", 7));
  EXPECT_EQ(SelectionError("1[*] 2[*]"),
            SelectionMessage("expected ',' or the end", "1[*] 2[*]", 6));
  EXPECT_EQ(SelectionError("1[*],"), SelectionMessage(kOperator, "1[*],", 6));
  EXPECT_EQ(SelectionError("1[3,4]"),
            SelectionMessage("expected a space or ']' after a partition", "1[3,4]", 4));
  EXPECT_EQ(SelectionError("1[3"), SelectionMessage("expected a partition number", "1[3", 4));
  EXPECT_EQ(SelectionError("1[99999999999]"),
            SelectionMessage("a partition number is too large, the largest is 2147483647",
                             "1[99999999999]", 3));
  EXPECT_EQ(SelectionError("1[0-99999999]"),
            SelectionMessage("the range has more than 1000000 partitions", "1[0-99999999]", 3));
  EXPECT_EQ(SelectionError("1[é]"), SelectionMessage("expected a partition number", "1[é]", 3));
}

}  // namespace
}  // namespace reprise
