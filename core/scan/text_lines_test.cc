#include "scan/text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "scan/parquet_test_files.h"
#include "scan/remote_test_files.h"

namespace reprise {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

class TextLinesTest : public ::testing::Test {
 protected:
  void Write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }

  Lines Read(int64_t start, int64_t length, const std::string& scheme = "",
             const std::string& separator = "") {
    parquet_test::TestRequests requests;
    parquet_test::TestStore store(&requests);
    FileSplit split;
    split.path = scheme + path_;
    split.start = start;
    split.length = length;
    auto lines = TextLines::Open(split, separator, &store, context_).ValueOrDie();
    Lines read;
    while (const auto line = lines->Next().ValueOrDie()) read.emplace_back(*line);
    return read;
  }

  parquet_test::TemporaryFolder folder_;
  const std::string path_ = folder_.file("lines.txt");
  TaskContext context_;
};

TEST_F(TextLinesTest, EndInThreeWays) {
  Write("a\nb\r\nc\rd\n\ne");
  EXPECT_THAT(Read(0, 12), ElementsAre("a", "b", "c", "d", "", "e"));
  Write("a\n");
  EXPECT_THAT(Read(0, 2), ElementsAre("a"));
  Write("");
  EXPECT_THAT(Read(0, 0), IsEmpty());
}

TEST_F(TextLinesTest, SplitsHaveEachLineOnce) {
  const std::string text = "ab\ncd\r\nef\rgh\n\n\r\nij\r";
  Write(text);
  const auto size = static_cast<int64_t>(text.size());
  const Lines whole = Read(0, size);
  for (int64_t length = 1; length <= size; ++length) {
    Lines together;
    for (int64_t start = 0; start < size; start += length) {
      for (auto& line : Read(start, std::min(length, size - start))) together.push_back(line);
    }
    EXPECT_THAT(together, ElementsAreArray(whole)) << "splits of " << length;
  }
}

TEST_F(TextLinesTest, ASeparatorOfItsOwnAloneEndsThem) {
  Write("a;b\nc;;d\r");
  EXPECT_THAT(Read(0, 9, "", ";"), ElementsAre("a", "b\nc", "", "d\r"));
  Write("a|b||c|||d||");
  EXPECT_THAT(Read(0, 12, "", "||"), ElementsAre("a|b", "c", "|d"));
}

TEST_F(TextLinesTest, SplitsThatEndWithinASeparatorHaveEachLineOnce) {
  const std::string text = "ab<>cd<><>e<f<>>g<>h<";
  Write(text);
  const auto size = static_cast<int64_t>(text.size());
  const Lines whole = Read(0, size, "", "<>");
  EXPECT_THAT(whole, ElementsAre("ab", "cd", "", "e<f", ">g", "h<"));
  for (int64_t length = 1; length <= size; ++length) {
    Lines together;
    for (int64_t start = 0; start < size; start += length) {
      for (auto& line : Read(start, std::min(length, size - start), "", "<>")) {
        together.push_back(line);
      }
    }
    EXPECT_THAT(together, ElementsAreArray(whole)) << "splits of " << length;
  }
}

TEST_F(TextLinesTest, ASeparatorMayBeCutByWhatIsReadAtATime) {
  const Lines lines = {std::string((1 << 20) - 1, 'x'), "y<", std::string(1'100'000, 'z')};
  Write(lines[0] + "<>" + lines[1] + "<>" + lines[2]);
  EXPECT_THAT(Read(0, 4'200'000, "", "<>"), ElementsAreArray(lines));
  EXPECT_THAT(Read(0, 4'200'000, "test:", "<>"), ElementsAreArray(lines)) << "of a store";
}

TEST_F(TextLinesTest, LinesMayBeLongerThanWhatIsReadAtATime) {
  const Lines lines = {std::string(3'000'000, 'x'), "y", std::string(1'100'000, 'z'), "end"};
  Write(lines[0] + "\n" + lines[1] + "\r\n" + lines[2] + "\n" + lines[3]);
  EXPECT_THAT(Read(0, 4'200'000), ElementsAreArray(lines));
  EXPECT_THAT(Read(0, 4'200'000, "test:"), ElementsAreArray(lines)) << "of a store";
  EXPECT_THAT(Read(3'000'001, 10, "test:"), ElementsAre(lines[2]));
}

}  // namespace
}  // namespace reprise
