#include "task/live_fragments.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "task/fragment_task.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kRange = R"({"leaf":0,"operator":{"kind":"range","name":"RepriseRange",
    "lore_id":4,"output":[{"name":"id","type":"long","nullable":false}],"inputs":[],
    "arguments":{"start":0,"end":100,"step":1,"slices":1}}})";

std::unique_ptr<FragmentTask> Open(const std::string& reports) {
  const Json task = {
      {"stage", 3},
      {"partition", 0},
      {"attempt", 41},
      {"settings",
       {{"spark.reprise.sql.batchRows", "30"}, {"spark.reprise.memory.reportPath", reports}}},
      {"leaves", Json::array({Json::object()})}};
  return FragmentTask::Open(kRange, task.dump(), {}, {}).ValueOrDie();
}

Json Told() { return Json::parse(LiveFragmentsText()); }

TEST(LiveFragments, AreToldOfWhileTheyRun) {
  EXPECT_EQ(Told()["fragments"], Json::array());
  auto task = Open("/reports");
  auto batch = task->Next().ValueOrDie();
  batch = task->Next().ValueOrDie();
  Json told;
  std::thread([&] { told = Told(); }).join();
  ASSERT_EQ(told["fragments"].size(), 1u);
  const Json& fragment = told["fragments"][0];
  EXPECT_EQ(fragment["attempt"], 41);
  EXPECT_GT(fragment["allocated"], 0);
  EXPECT_GE(fragment["peak"], fragment["allocated"]);
  ASSERT_EQ(fragment["operators"].size(), 1u);
  const Json& range = fragment["operators"][0];
  EXPECT_EQ(range["name"], "RepriseRange (LORE id 4)");
  EXPECT_EQ(range["batches"], 2);
  EXPECT_EQ(range["rows"], 60);
  EXPECT_EQ(range["lastRows"], 30);
  EXPECT_EQ(range["lastBytes"], 240);
  EXPECT_EQ(range["held"], fragment["allocated"]);
  batch.reset();
  EXPECT_TRUE(task->Close(CaptureEnd::kSucceeded).ok());
  EXPECT_EQ(Told()["fragments"], Json::array());
}

TEST(LiveFragments, AreNotWatchedUnlessSomebodyAsks) {
  const auto task = Open("");
  EXPECT_TRUE(task->Next().ValueOrDie());
  EXPECT_EQ(Told()["fragments"], Json::array());
}

}  // namespace
}  // namespace reprise
