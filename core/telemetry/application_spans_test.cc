#include "telemetry/application_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace reprise {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kWithin = "00-0123456789abcdef0123456789abcdef-00f067aa0ba902b7-01";

ApplicationSpans Spans() { return {TraceContext::Of(kWithin), ""}; }

void Tell(ApplicationSpans* spans, const std::vector<std::string>& events) {
  for (const std::string& event : events) {
    const Status told = spans->Add(event);
    EXPECT_TRUE(told.ok()) << told.ToString() << " of " << event;
  }
}

const std::string kStage = R"("Stage Info":{"Stage ID":3,"Stage Attempt ID":1,)"
                           R"("Stage Name":"collect at a.py:1","Number of Tasks":2,"RDD Info":[],)"
                           R"("Parent IDs":[],"Submission Time":1000,"Completion Time":5000,)"
                           R"("Accumulables":[{"ID":9,"Name":"number of output rows","Value":"5",)"
                           R"("Internal":true,"Count Failed Values":true,"Metadata":"sql"}])";

// A job of one stage, whose first attempt's second task fails.
std::vector<std::string> Job() {
  return {
      R"({"Event":"SparkListenerApplicationStart","App Name":"a","App ID":"app-1","Timestamp":500})",
      R"({"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":900,"Stage Infos":[{)"
      R"("Stage ID":3,"Stage Attempt ID":0,"Stage Name":"collect at a.py:1","Number of Tasks":2,)"
      R"("RDD Info":[],"Parent IDs":[]}],"Stage IDs":[3],)"
      R"("Properties":{"spark.sql.execution.id":"7"}})",
      R"({"Event":"SparkListenerTaskEnd","Stage ID":3,"Stage Attempt ID":1,"Task Type":"ResultTask",)"
      R"("Task End Reason":{"Reason":"ExecutorLostFailure","Executor ID":"2","Loss Reason":"gone"},)"
      R"("Task Info":{"Task ID":41,"Index":1,"Attempt":0,"Partition ID":1,"Launch Time":1100,)"
      R"("Executor ID":"2","Host":"h","Speculative":false,"Finish Time":1200,"Accumulables":[]}})",
      R"({"Event":"SparkListenerStageCompleted",)" + kStage + "}}"};
}

std::map<std::string, Span> ByName(const std::vector<Span>& spans) {
  std::map<std::string, Span> by_name;
  for (const Span& span : spans) by_name[span.name] = span;
  EXPECT_EQ(by_name.size(), spans.size());
  return by_name;
}

TEST(TraceContext, IsTheOneThatItIsGiven) {
  const TraceContext given = TraceContext::Of(kWithin);
  EXPECT_EQ(given.trace[0], 0x0123456789abcdef);
  EXPECT_EQ(given.parent, 0x00f067aa0ba902b7);
}

TEST(TraceContext, IsNewWhereNoneIsGiven) {
  for (const std::string_view text :
       {"", "00", "01-0123456789abcdef0123456789abcdef-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-0123456789abcdef0123456789abcdef-0000000000000000-01",
        "00-0123456789abcdef0123456789abcdeg-00f067aa0ba902b7-01"}) {
    const TraceContext made = TraceContext::Of(text);
    EXPECT_EQ(made.parent, 0u) << text;
    EXPECT_NE(made.trace, TraceContext::Of(text).trace) << text;
  }
}

TEST(ApplicationSpans, StandWithinEachOther) {
  ApplicationSpans spans = Spans();
  std::vector<std::string> events = Job();
  events.push_back(
      R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",)"
      R"("executionId":7,"rootExecutionId":5,"description":"a query","time":800,)"
      R"("sparkPlanInfo":{"nodeName":"Range","simpleString":"Range","children":[],)"
      R"("metrics":[{"name":"number of output rows","accumulatorId":9,"metricType":"sum"}]}})");
  events.push_back(R"({"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd",)"
                   R"("executionId":7,"time":6000,"errorMessage":"no"})");
  events.push_back(R"({"Event":"SparkListenerApplicationEnd","Timestamp":7000})");
  Tell(&spans, events);
  const auto made = ByName(spans.TakeSpans());
  ASSERT_EQ(made.size(), 5u);
  const Span& application = made.at("application: a");
  const Span& query = made.at("query: a query");
  const Span& stage = made.at("stage: collect at a.py:1");
  const Span& task = made.at("task");
  EXPECT_EQ(application.parent, 0x00f067aa0ba902b7);
  EXPECT_NE(query.parent, application.id);  // it runs within query 5
  EXPECT_EQ(stage.parent, query.id);
  EXPECT_EQ(task.parent, stage.id);
  EXPECT_EQ(made.at("Range").parent, stage.id);
  EXPECT_THAT(made.at("Range").attributes,
              Contains(Pair("spark.output_rows", SpanAttribute(int64_t{5}))));
  EXPECT_EQ(std::pair(stage.started_ms, stage.ended_ms), std::pair(1000L, 5000L));
  EXPECT_EQ(std::pair(task.failed, task.error),
            std::pair(true, std::string("ExecutorLostFailure: gone")));
  EXPECT_THAT(task.attributes, Contains(Pair("spark.task.partition", SpanAttribute(int64_t{1}))));
  EXPECT_EQ(std::pair(query.failed, query.error), std::pair(true, std::string("no")));
  EXPECT_FALSE(stage.failed);
  EXPECT_THAT(spans.Take(), IsEmpty());  // each is sent once
}

TEST(ApplicationSpans, HaveTheSameIdsInTheSameTraceAlone) {
  ApplicationSpans first = Spans();
  ApplicationSpans again = Spans();
  ApplicationSpans other(TraceContext::Of(""), "");
  std::vector<std::set<uint64_t>> ids;
  for (ApplicationSpans* spans : {&first, &again, &other}) {
    Tell(spans, Job());
    std::set<uint64_t>& of = ids.emplace_back();
    for (const Span& span : spans->TakeSpans()) of.insert(span.id);
  }
  EXPECT_EQ(ids[0].size(), 2u);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[0], ids[2]);
}

TEST(ApplicationSpans, LeaveOutTasksThatAreTooMany) {
  ApplicationSpans spans = Spans();
  const std::vector<std::string> job = Job();
  Tell(&spans, {job[0], job[1]});
  for (size_t i = 0; i < ApplicationSpans::kSpansMax + 5; ++i) Tell(&spans, {job[2]});
  EXPECT_EQ(spans.TakeSpans().size(), ApplicationSpans::kSpansMax);
  Tell(&spans, {R"({"Event":"SparkListenerApplicationEnd","Timestamp":7000})"});
  const std::vector<Span> last = spans.TakeSpans();
  ASSERT_EQ(last.size(), 1u);
  EXPECT_THAT(last[0].attributes,
              Contains(Pair("reprise.spans_left_out", SpanAttribute(int64_t{5}))));
}

TEST(ApplicationSpans, DamagedEventsAreErrors) {
  ApplicationSpans spans = Spans();
  EXPECT_TRUE(spans.Add(R"({"Event":"SparkListenerApplicationEnd","Timestamp":)").IsInvalid());
  EXPECT_THAT(spans.TakeSpans(), IsEmpty());
}

}  // namespace
}  // namespace reprise
