#include "report/finding_kinds.h"

#include <algorithm>

#include "report/report.h"

namespace reprise {

const std::vector<FindingKind> kFindingKinds = {
    {"skew", "one task of a stage has most of the data", FindSkew},
    {"straggler", "one task is slow without having more data", FindStraggler},
    {"few-tasks", "a stage has fewer tasks than there are cores", FindFewTasks},
    {"tiny-tasks", "a stage has many tasks that do little", FindTinyTasks},
    {"garbage-collection", "tasks collect garbage for a tenth of their time or more",
     FindGarbageCollection},
    {"unpacking", "tasks are large and take long to unpack", FindUnpacking},
    {"fetch-wait", "tasks wait for shuffled blocks", FindFetchWait},
    {"spill", "tasks put rows aside on disk", FindSpill},
    {"failed-tasks", "tasks failed and ran again", FindFailedTasks},
    {"retried-stage", "a stage ran again because its output was lost", FindRetriedStage},
    {"large-result", "the driver collects 100 MB or more", FindLargeResult},
    {"small-files", "a scan reads a hundred or more files of some MB", FindSmallFiles},
    {"small-files-written", "a query writes a hundred or more files of some MB",
     FindSmallFilesWritten},
    {"listing", "the driver lists files for long", FindListing},
    {"text-files", "a scan parses CSV, JSON, XML or text", FindTextFiles},
    {"exploding-join", "a join gives ten times the rows that go in", FindExplodingJoin},
    {"large-broadcast", "a broadcast is of 200 MB or takes two seconds", FindLargeBroadcast},
    {"missed-broadcast", "a join shuffles a large side to meet a small one", FindMissedBroadcast},
    {"nested-loop", "a join compares every row with every other", FindNestedLoop},
    {"late-filter", "a filter drops most of what a join has made", FindLateFilter},
    {"python-function", "Python is called row by row", FindPythonFunctions},
    {"one-partition", "all rows go through one task", FindOnePartition},
    {"transitions", "rows become columns and columns rows", FindTransitions},
    {"not-native", "operators that Spark runs, by the reason", FindRefusals},
    {"driver-alone", "no stage runs while the driver works", FindDriverAlone},
    {"lost-executor", "an executor died", FindLostExecutors},
    {"unused-cores", "no stage has tasks for half of the cores", FindUnusedCores},
    {"unused-memory", "tasks use less than a tenth of the heap", FindUnusedMemory},
    {"unread-cache", "a cache is filled and not read again", FindUnreadCaches},
    {"same-work", "the same query runs three times or more", FindSameWork},
};

Findings FindAll(const Report& report) {
  constexpr double kLeastSeconds = 0.5;
  Findings all;
  for (const FindingKind& kind : kFindingKinds) {
    Findings of_kind;
    kind.find(report, &of_kind);
    for (Finding& finding : of_kind) {
      if (finding.always || finding.seconds >= kLeastSeconds) all.push_back(std::move(finding));
    }
  }
  std::ranges::stable_sort(all, std::greater(), &Finding::seconds);
  return all;
}

}  // namespace reprise
