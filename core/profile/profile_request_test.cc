// A recording is taken apart, and its stages get their pages, by requests as the plug-in makes
// them.
#include "profile/profile_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "dump/file.h"
#include "profile/recording_testing.h"
#include "profile/span_tag.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

// The example's recording has begun and was split: stage 0 has names of operators, stage 1 none.
class ProfileRequests : public Recordings {
 protected:
  void SetUp() override {
    Recordings::SetUp();
    copy_ = CopyOfExample();
    Run("begin", {{"folder", folder_.string()}, {"maxBytes", 1 << 30}});
    Json tasks = Json::array();
    for (const JfrSpan& span : SpansOfExample()) {
      const TaskTag tag = *ParseTaskTag(span.tag);
      tasks.push_back({span.thread, span.start, span.end, tag.task, tag.stage.stage,
                       tag.stage.attempt, tag.partition, 0});
    }
    const Json queries = {{"name loreId=5 RepriseFilter [loreId=5]"}};
    const Json shown = {{{"stage", 0}, {"attempt", 0}, {"query", 0}},
                        {{"stage", 1}, {"attempt", 0}, {"query", -1}},
                        {{"stage", 9}, {"attempt", 2}, {"query", 0}}};
    split_ = Run("split", {{"tasks", tasks}, {"queries", queries}, {"shown", shown}}).at("stages");
    ASSERT_EQ(split_.size(), 2u);
  }
  void TearDown() override {
    Run("end", Json::object());
    Recordings::TearDown();
  }

  // The answer, or the text of the error.
  Json Run(const std::string& what, Json request) {
    request["do"] = what;
    request["recording"] = copy_;
    const auto answer = RunProfileRequest(request.dump());
    return answer.ok() ? Json::parse(*answer) : Json(answer.status().message());
  }
  Json PageOfStage(const Json& stage) {
    return Run("stages", {{"stages", Json::array({stage})}}).at("stages")[0];
  }
  Json StageOne() const {
    return {{"stage", 1},         {"attempt", 0},   {"isLast", false}, {"html", Html()},
            {"title", "stage 1"}, {"subtitle", ""}, {"jfr", Jfr()}};
  }
  std::string RecordingOf(int stage) const { return split_[stage].at("file"); }
  std::string Html() const { return (folder_ / "page.html").string(); }
  std::string Jfr() const { return (folder_ / "page.jfr").string(); }

  std::string copy_;
  Json split_;
};

TEST_F(ProfileRequests, MakePagesOfStagesWithNames) {
  // The names came with the samples, in one chunk, and are not written again.
  EXPECT_THAT(ReadWholeFile(RecordingOf(0)).ValueOrDie(), HasSubstr("RepriseFilter [loreId=5]"));
  const Json unknown = {{"stage", 9}, {"attempt", 2}, {"isLast", true}};
  EXPECT_EQ(
      PageOfStage(unknown).at("error"),
      "stage 9, attempt 2 has no recording: it is finished, or no chunk has been split since");
  const Json page = PageOfStage(StageOne());
  EXPECT_EQ(page.at("cpuSamples"), split_[1].at("cpuSamples"));
  EXPECT_EQ(page.at("pageBytes"), std::filesystem::file_size(Html()));
  EXPECT_EQ(page.at("bytes"), std::filesystem::file_size(Jfr()));
  EXPECT_THAT(ReadWholeFile(Html()).ValueOrDie(), HasSubstr("R.hotTwo"));
  const std::string recording = ReadWholeFile(RecordingOf(1)).ValueOrDie();
  EXPECT_THAT(recording, Not(HasSubstr("RepriseFilter [loreId=5]")));
  EXPECT_EQ(ReadWholeFile(Jfr()).ValueOrDie(), recording);
}

TEST_F(ProfileRequests, KeepTheRecordingOfAPageThatCannotBePut) {
  const std::string recording = RecordingOf(1);
  const Json so_far = PageOfStage(StageOne());
  // A page that cannot be put in place is no reason to lose the recording, nor leaves a part.
  std::filesystem::create_directories(folder_ / "full.html" / "of");
  Json stage = StageOne();
  stage["html"] = (folder_ / "full.html").string();
  EXPECT_THAT(PageOfStage(stage).at("error"), HasSubstr("full.html"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".full.html.part"));
  stage["html"] = (folder_ / "nowhere" / "page.html").string();
  EXPECT_THAT(PageOfStage(stage).at("error"), HasSubstr("nowhere"));
  // Neither are the last ones, whichever of the two files it is.
  stage["isLast"] = true;
  for (const char* const place : {"nowhere/page.html", "full.html"}) {
    stage["html"] = (folder_ / place).string();
    const Json kept = PageOfStage(stage);
    EXPECT_THAT(kept.at("error"), HasSubstr(": cannot "));
    EXPECT_TRUE(kept.at("isKept").get<bool>());
    EXPECT_TRUE(std::filesystem::exists(recording));
  }
  stage["html"] = Html();
  stage["jfr"] = (folder_ / "full.html").string();
  EXPECT_TRUE(PageOfStage(stage).at("isKept").get<bool>());
  stage["jfr"] = Jfr();
  Json last = PageOfStage(stage);
  EXPECT_FALSE(last.at("isKept").get<bool>());
  last["isKept"] = true;
  EXPECT_EQ(last, so_far);
  EXPECT_FALSE(std::filesystem::exists(recording));
  EXPECT_THAT(PageOfStage(stage).at("error"), StartsWith("stage 1, attempt 0 has no"));
}

TEST_F(ProfileRequests, EndWithWhatTheCallerPutsInItsPlaceHimself) {
  const Json no = Json::array();
  const Json not_tags = Json::array({Json::array({"loreId=5"})});
  EXPECT_EQ(Run("split", {{"tasks", no}, {"queries", not_tags}, {"shown", no}}),
            "expected the tag of an operator's name, not loreId=5");
  Json one = StageOne();
  one["isLast"] = true;
  EXPECT_FALSE(PageOfStage(one).at("isKept").get<bool>());
  EXPECT_EQ(Run("split", {{"tasks", no}, {"queries", no}, {"shown", no}}).at("stages").size(), 1u);
  const Json zero = {{"stage", 0},     {"attempt", 0},       {"isLast", true},
                     {"html", Html()}, {"title", "stage 0"}, {"subtitle", ""}};
  // It is kept until he has.
  for (int i = 0; i < 2; ++i) {
    const Json put = PageOfStage(zero);
    EXPECT_EQ(put.at("bytes"), split_[0].at("bytes"));
    EXPECT_TRUE(put.at("isKept").get<bool>());
  }
  Run("finish", {{"stage", 0}, {"attempt", 0}});
  EXPECT_FALSE(std::filesystem::exists(RecordingOf(0)));
  EXPECT_THAT(PageOfStage(zero).at("error"), StartsWith("stage 0, attempt 0 has no"));
  Run("end", Json::object());
  EXPECT_EQ(Run("stages", {{"stages", Json::array({zero})}}),
            copy_ + ": no recording has begun there");
}

}  // namespace
}  // namespace reprise
