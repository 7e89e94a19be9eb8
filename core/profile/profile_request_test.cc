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

using ProfileRequests = Recordings;

TEST_F(ProfileRequests, MakePagesOfStagesWithNames) {
  using Json = nlohmann::json;
  const std::string copy = CopyOfExample();
  const auto run = [&copy](const std::string& what, Json request) {
    request["do"] = what;
    request["recording"] = copy;
    const auto answer = RunProfileRequest(request.dump());
    return answer.ok() ? Json::parse(*answer) : Json(answer.status().message());
  };
  run("begin", {{"folder", folder_.string()}, {"maxBytes", 1 << 30}});
  Json tasks = Json::array();
  for (const JfrSpan& span : SpansOfExample()) {
    const TaskTag tag = *ParseTaskTag(span.tag);
    tasks.push_back({span.thread, span.start, span.end, tag.task, tag.stage.stage,
                     tag.stage.attempt, tag.partition, 0});
  }
  const Json no = Json::array();
  const Json queries = {{"name loreId=5 RepriseFilter [loreId=5]"}};
  const Json shown = {{{"stage", 0}, {"attempt", 0}, {"query", 0}},
                      {{"stage", 1}, {"attempt", 0}, {"query", -1}},
                      {{"stage", 9}, {"attempt", 2}, {"query", 0}}};
  const Json split = run("split", {{"tasks", tasks}, {"queries", queries}, {"shown", shown}});
  ASSERT_EQ(split.at("stages").size(), 2u);
  // The names came with the samples, in one chunk, and are not written again.
  const std::string with_names = split.at("stages")[0].at("file");
  EXPECT_THAT(ReadWholeFile(with_names).ValueOrDie(), HasSubstr("RepriseFilter [loreId=5]"));
  const std::string html = (folder_ / "page.html").string();
  const std::string jfr = (folder_ / "page.jfr").string();
  Json stage = {{"stage", 1},         {"attempt", 0},   {"isLast", false}, {"html", html},
                {"title", "stage 1"}, {"subtitle", ""}, {"jfr", jfr}};
  const Json unknown = {{"stage", 9}, {"attempt", 2}, {"isLast", true}};
  const auto pages = [&](const Json& stages) { return run("stages", {{"stages", stages}}); };
  const Json so_far = pages(Json::array({unknown, stage})).at("stages");
  EXPECT_EQ(
      so_far[0].at("error"),
      "stage 9, attempt 2 has no recording: it is finished, or no chunk has been split since");
  EXPECT_EQ(so_far[1].at("cpuSamples"), split.at("stages")[1].at("cpuSamples"));
  EXPECT_EQ(so_far[1].at("pageBytes"), std::filesystem::file_size(html));
  EXPECT_EQ(so_far[1].at("bytes"), std::filesystem::file_size(jfr));
  EXPECT_THAT(ReadWholeFile(html).ValueOrDie(), HasSubstr("R.hotTwo"));
  const std::string recording = split.at("stages")[1].at("file");
  EXPECT_THAT(ReadWholeFile(recording).ValueOrDie(), Not(HasSubstr("RepriseFilter [loreId=5]")));
  EXPECT_EQ(ReadWholeFile(jfr).ValueOrDie(), ReadWholeFile(recording).ValueOrDie());
  // A page that cannot be put in place is no reason to lose the recording, nor leaves a part.
  std::filesystem::create_directories(folder_ / "full.html" / "of");
  stage["html"] = (folder_ / "full.html").string();
  EXPECT_THAT(pages(Json::array({stage})).at("stages")[0].at("error"), HasSubstr("full.html"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".full.html.part"));
  stage["html"] = (folder_ / "nowhere" / "page.html").string();
  EXPECT_THAT(pages(Json::array({stage})).at("stages")[0].at("error"), HasSubstr("nowhere"));
  // Neither are the last ones, whichever of the two files it is.
  stage["isLast"] = true;
  for (const char* const place : {"nowhere/page.html", "full.html"}) {
    stage["html"] = (folder_ / place).string();
    const Json kept = pages(Json::array({stage})).at("stages")[0];
    EXPECT_THAT(kept.at("error"), HasSubstr(": cannot "));
    EXPECT_TRUE(kept.at("isKept").get<bool>());
    EXPECT_TRUE(std::filesystem::exists(recording));
  }
  stage["html"] = html;
  stage["jfr"] = (folder_ / "full.html").string();
  EXPECT_TRUE(pages(Json::array({stage})).at("stages")[0].at("isKept").get<bool>());
  stage["jfr"] = jfr;
  Json last = pages(Json::array({stage})).at("stages")[0];
  EXPECT_FALSE(last.at("isKept").get<bool>());
  last["isKept"] = true;
  EXPECT_EQ(last, so_far[1]);
  EXPECT_FALSE(std::filesystem::exists(recording));
  EXPECT_THAT(pages(Json::array({stage})).at("stages")[0].at("error"),
              StartsWith("stage 1, attempt 0 has no"));
  const Json not_tags = Json::array({Json::array({"loreId=5"})});
  EXPECT_EQ(run("split", {{"tasks", no}, {"queries", not_tags}, {"shown", no}}),
            "expected the tag of an operator's name, not loreId=5");
  EXPECT_EQ(run("split", {{"tasks", no}, {"queries", no}, {"shown", no}}).at("stages").size(), 1u);
  const Json zero = {{"stage", 0},   {"attempt", 0},       {"isLast", true},
                     {"html", html}, {"title", "stage 0"}, {"subtitle", ""}};
  // What the caller puts in its place himself is kept until he has.
  for (int i = 0; i < 2; ++i) {
    const Json put = pages(Json::array({zero})).at("stages")[0];
    EXPECT_EQ(put.at("bytes"), split.at("stages")[0].at("bytes"));
    EXPECT_TRUE(put.at("isKept").get<bool>());
  }
  run("finish", {{"stage", 0}, {"attempt", 0}});
  EXPECT_FALSE(std::filesystem::exists(with_names));
  EXPECT_THAT(pages(Json::array({zero})).at("stages")[0].at("error"),
              StartsWith("stage 0, attempt 0 has no"));
  run("end", Json::object());
  EXPECT_EQ(pages(Json::array({stage})), copy + ": no recording has begun there");
}

}  // namespace
}  // namespace reprise
