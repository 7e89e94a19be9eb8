// What looks for each kind of finding; kFindingKinds names them.
#pragma once

#include "report/finding.h"

namespace reprise {

// findings_of_tasks.cc
void FindSkew(const Report& report, Findings* findings);
void FindStraggler(const Report& report, Findings* findings);
void FindFewTasks(const Report& report, Findings* findings);
void FindTinyTasks(const Report& report, Findings* findings);
void FindGarbageCollection(const Report& report, Findings* findings);
void FindUnpacking(const Report& report, Findings* findings);
void FindFetchWait(const Report& report, Findings* findings);

// findings_of_stages.cc
void FindSpill(const Report& report, Findings* findings);
void FindFailedTasks(const Report& report, Findings* findings);
void FindRetriedStage(const Report& report, Findings* findings);
void FindLargeResult(const Report& report, Findings* findings);

// findings_of_inputs.cc
void FindSmallFiles(const Report& report, Findings* findings);
void FindSmallFilesWritten(const Report& report, Findings* findings);
void FindListing(const Report& report, Findings* findings);
void FindTextFiles(const Report& report, Findings* findings);

// findings_of_joins.cc
void FindExplodingJoin(const Report& report, Findings* findings);
void FindLargeBroadcast(const Report& report, Findings* findings);
void FindMissedBroadcast(const Report& report, Findings* findings);
void FindNestedLoop(const Report& report, Findings* findings);
void FindLateFilter(const Report& report, Findings* findings);

// findings_of_operators.cc
void FindPythonFunctions(const Report& report, Findings* findings);
void FindOnePartition(const Report& report, Findings* findings);
void FindTransitions(const Report& report, Findings* findings);
void FindRefusals(const Report& report, Findings* findings);

// findings_of_application.cc
void FindDriverAlone(const Report& report, Findings* findings);
void FindLostExecutors(const Report& report, Findings* findings);
void FindUnusedCores(const Report& report, Findings* findings);
void FindUnusedMemory(const Report& report, Findings* findings);
void FindUnreadCaches(const Report& report, Findings* findings);
void FindSameWork(const Report& report, Findings* findings);

}  // namespace reprise
