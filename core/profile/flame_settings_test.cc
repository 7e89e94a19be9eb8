// What users write in spark.reprise.flameGraph.executors and .asyncProfiler.options.
#include "profile/flame_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/profile_request.h"

namespace reprise {
namespace {

using testing::HasSubstr;

TEST(ProfileRequest, ChecksSettings) {
  const auto check = [](const std::string& executors, const std::string& options) {
    const nlohmann::json request = {{"do", "check"},
                                    {"conf",
                                     {{"spark.reprise.flameGraph.pathPrefix", "/flames"},
                                      {"spark.reprise.flameGraph.executors", executors},
                                      {"spark.rapids.flameGraph.asyncProfiler.options", options}}}};
    const auto answer = RunProfileRequest(request.dump());
    return answer.ok() ? *answer : answer.status().message();
  };
  const std::string options = "jfr,event=cpu,wall=10ms";
  EXPECT_EQ(check("*", options),
            R"({"executors":"*","maxBytes":1073741824,"options":"jfropts=31,event=cpu,wall=10ms,)"
            R"(memlimit=256m,clock=monotonic","optionsBesideOwnWall":"jfropts=31,event=cpu,)"
            R"(wall=1000000000,memlimit=256m,clock=monotonic","prefix":"/flames",)"
            R"("processorNs":10000000,"wallNs":10000000})");
  EXPECT_THAT(check("*", "wall=5ms,ithread=pool-*"), HasSubstr("31,wall=5ms,ithread=pool-*,"));
  EXPECT_THAT(check("0, 2-4,driver", options), HasSubstr(R"("executors":"0, 2-4,driver")"));
  EXPECT_EQ(check("1,x", options),
            "spark.reprise.flameGraph.executors: expected *, an executor's id, a range of ids, or "
            "driver at character 3\n  1,x\n    ^");
  EXPECT_THAT(check("5-3", options), HasSubstr("the range 5-3 is empty at character 1"));
  EXPECT_THAT(check("5-", options), HasSubstr("expected the last id of the range at character 3"));
  EXPECT_THAT(check("", options), HasSubstr("at character 1"));
  EXPECT_EQ(check("*", "jfr,evnt=cpu"),
            "spark.reprise.flameGraph.asyncProfiler.options: unknown option evnt, did you mean "
            "event? at character 5\n  jfr,evnt=cpu\n      ^");
  EXPECT_THAT(check("*", "wall=often"), HasSubstr("expected a time, such as 10ms at character 6"));
  EXPECT_THAT(check("*", "event=cpu,interval=0ms"),
              HasSubstr("expected an interval above 0, such as 10ms or 1000000 at character 20"));
  EXPECT_THAT(check("*", "cstack=dwarf,interval=20"), HasSubstr("cstack=dwarf,interval=20"));
  EXPECT_THAT(check("*", "cstack=gdb"),
              HasSubstr("expected fp, dwarf, lbr, vm, vmx or no at character 8"));
  EXPECT_THAT(check("*", "file=/tmp/x"), HasSubstr("file is set by Reprise itself"));
  EXPECT_THAT(check("*", "clock=tsc"), HasSubstr("expected monotonic, the clock"));
  EXPECT_THAT(check("*", "event"), HasSubstr("expected event=VALUE at character 6"));
  EXPECT_EQ(*RunProfileRequest(R"({"do":"check","conf":{}})"), "{}");
  EXPECT_EQ(RunProfileRequest(R"({"do":"check","conf":{"spark.reprise.flameGraph.maxByte":"1"}})")
                .status()
                .message(),
            "unknown configuration key spark.reprise.flameGraph.maxByte, did you mean "
            "spark.reprise.flameGraph.maxBytes?");
  EXPECT_THAT(RunProfileRequest("{").status().message(),
              HasSubstr("malformed request of a profile"));
}

TEST(ProfileRequest, KnowsWhichExecutorsAreTaken) {
  const auto taken = [](const std::string& executors) {
    std::string names;
    for (const char* executor : {"driver", "0", "1", "2", "3", "12"}) {
      const nlohmann::json request = {
          {"do", "takes"}, {"executors", executors}, {"executor", executor}};
      const auto answer = nlohmann::json::parse(RunProfileRequest(request.dump()).ValueOrDie());
      if (answer["takes"] == true) names += std::string(executor) + " ";
    }
    return names;
  };
  EXPECT_EQ(taken("*"), "driver 0 1 2 3 12 ");
  EXPECT_EQ(taken("driver"), "driver ");
  EXPECT_EQ(taken("1,3-12"), "1 3 12 ");
  EXPECT_EQ(taken("0-1,driver"), "driver 0 1 ");
}

TEST(ProfilerOptions, TellTheIntervalOfOurOwnWallClock) {
  const auto wall_ns = [](const std::string& options) {
    const ProfilerOptions checked = CheckProfilerOptions(options).ValueOrDie();
    EXPECT_EQ(checked.beside_own_wall.empty(), checked.wall_ns == 0) << options;
    return checked.wall_ns;
  };
  EXPECT_EQ(wall_ns("jfr,event=cpu,wall=10ms"), 10'000'000);
  EXPECT_EQ(wall_ns("wall=300us,event=cpu"), 300'000);
  EXPECT_EQ(wall_ns("wall=7000000"), 7'000'000);
  EXPECT_EQ(wall_ns("wall"), 50'000'000);
  EXPECT_EQ(wall_ns("wall=0"), 50'000'000);
  EXPECT_EQ(wall_ns("wall=10ns"), 100'000);
  EXPECT_EQ(wall_ns("wall=999ms"), 999'000'000);
  // As seldom as all threads are looked at, or of the user's own choice of threads and signals.
  EXPECT_EQ(wall_ns("wall=1s"), 0);
  EXPECT_EQ(wall_ns("wall=9223372036854775807s"), 0);
  EXPECT_EQ(wall_ns("event=cpu"), 0);
  EXPECT_EQ(wall_ns("event=wall"), 0);
  EXPECT_EQ(wall_ns("wall=5ms,ithread=pool-*"), 0);
  EXPECT_EQ(wall_ns("xthread=pool-*,wall=5ms"), 0);
  EXPECT_EQ(wall_ns("signal=40,wall=5ms"), 0);
}

TEST(ProfilerOptions, TellWhetherProcessorSamplesMayCountAsTicks) {
  const auto processor_ns = [](const std::string& options) {
    return CheckProfilerOptions(options).ValueOrDie().processor_ns;
  };
  EXPECT_EQ(processor_ns("jfr,event=cpu,wall=10ms"), 10'000'000);
  EXPECT_EQ(processor_ns("wall=10ms,interval=2ms,event=ctimer"), 2'000'000);
  EXPECT_EQ(processor_ns("cpu,wall=10ms,interval=3000000"), 3'000'000);
  EXPECT_EQ(processor_ns("event=cpu,wall=5ms"), 10'000'000);
  // There are too few of them, or none, or not of each thread, or some are left out.
  EXPECT_EQ(processor_ns("event=cpu,wall=4ms"), 0);
  EXPECT_EQ(processor_ns("event=cpu,wall=10ms,interval=30ms"), 0);
  EXPECT_EQ(processor_ns("wall=10ms"), 0);
  EXPECT_EQ(processor_ns("event=cpu"), 0);
  EXPECT_EQ(processor_ns("event=itimer,wall=10ms"), 0);
  EXPECT_EQ(processor_ns("event=cpu,wall=10ms,include=*Task*"), 0);
}

}  // namespace
}  // namespace reprise
