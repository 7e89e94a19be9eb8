#include "base/trace.h"

#include <gtest/gtest.h>

namespace reprise {

namespace {

constexpr TraceRange kOuter = {"outer", "test", {"rows", "bytes"}};
constexpr TraceRange kInner = {"inner", "test"};

std::shared_ptr<std::atomic<int64_t>> Room(int64_t events) {
  return std::make_shared<std::atomic<int64_t>>(events);
}

TEST(Trace, ARangeIsRecordedWhenItEnds) {
  TraceRecorder recorder(Room(10));
  recorder.set_lane(3);
  {
    TraceScope outer(&recorder, kOuter);
    EXPECT_TRUE(outer.is_on());
    const TraceScope inner(&recorder, kInner);
    outer.Count(4, 32);
    EXPECT_TRUE(recorder.events().empty());
  }
  ASSERT_EQ(recorder.events().size(), 2);
  const TraceEvent& inner = recorder.events()[0];
  const TraceEvent& outer = recorder.events()[1];
  EXPECT_EQ(inner.range, &kInner);
  EXPECT_EQ(inner.figures[0], kNoTraceFigure);
  EXPECT_EQ(outer.range, &kOuter);
  EXPECT_EQ(outer.figures, (std::array<int64_t, 3>{4, 32, kNoTraceFigure}));
  EXPECT_EQ(outer.lane, 3);
  EXPECT_LE(outer.start_ns, inner.start_ns);
  EXPECT_LE(inner.start_ns, inner.end_ns);
  EXPECT_LE(inner.end_ns, outer.end_ns);
}

TEST(Trace, WithoutARecorderNothingHappens) {
  TraceScope range(nullptr, kOuter);
  range.Count(1, 2, 3);
  EXPECT_FALSE(range.is_on());
}

TEST(Trace, RecordersOfATaskShareItsRoom) {
  const auto room = Room(3);
  TraceRecorder first(room);
  TraceRecorder second(room);
  for (int i = 0; i < 2; ++i) {
    const TraceScope one(&first, kInner);
    const TraceScope other(&second, kInner);
  }
  EXPECT_EQ(first.events().size() + second.events().size(), 3);
  EXPECT_EQ(first.dropped() + second.dropped(), 1);
}

TEST(Trace, DescriptionsAreKeptOnce) {
  TraceRecorder recorder(Room(1));
  const TraceRange& filter =
      recorder.Describe(std::string("Filter"), "operator", {"rows"}, std::string("\"loreId\":5"));
  for (int i = 0; i < 100; ++i) recorder.Describe(std::to_string(i), "operator", {}, "");
  EXPECT_EQ(&recorder.Describe("Filter", "operator", {"rows"}, ""), &filter);
  EXPECT_EQ(filter.name, "Filter");
  EXPECT_EQ(filter.arguments, "\"loreId\":5");
}

}  // namespace
}  // namespace reprise
