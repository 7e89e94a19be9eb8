// The methods of reprise.bridge.Native by which an application's events become its report.
#include <jni.h>

#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "report/live_report.h"
#include "report/report_page.h"
#include "task/handle_table.h"

namespace reprise {

namespace {

HandleTable<LiveReport>& OpenReports() {
  // Never destroyed: listeners of a JVM that exits may still be told of events.
  static auto* table = new HandleTable<LiveReport>();
  return *table;
}

Result<std::shared_ptr<LiveReport>> ReportOf(jlong handle) {
  std::shared_ptr<LiveReport> report = OpenReports().Find(handle);
  if (report == nullptr) return IllegalState(fmt::format("there is no report {}", handle));
  return report;
}

Result<bool> AddEvent(JNIEnv* env, jlong handle, jstring event) {
  ARROW_ASSIGN_OR_RAISE(const auto report, ReportOf(handle));
  ARROW_ASSIGN_OR_RAISE(const std::string text, FromJava(env, event, "event"));
  RETURN_NOT_OK(AsIllegalArgument(report->Add(text)));
  return true;
}

}  // namespace
}  // namespace reprise

extern "C" JNIEXPORT jlong JNICALL Java_reprise_bridge_Native_openReport(JNIEnv* env, jclass,
                                                                         jlong queries,
                                                                         jlong stages) {
  return reprise::Guard<jlong>(env, 0, [&]() -> reprise::Result<jlong> {
    return reprise::OpenReports().Add(std::make_shared<reprise::LiveReport>(queries, stages));
  });
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_Native_addEvent(JNIEnv* env, jclass,
                                                                      jlong report, jstring event) {
  reprise::Guard(env, false, [&] { return reprise::AddEvent(env, report, event); });
}

extern "C" JNIEXPORT jbyteArray JNICALL Java_reprise_bridge_Native_reportJson(JNIEnv* env, jclass,
                                                                              jlong report) {
  return reprise::Guard<jbyteArray>(env, nullptr, [&]() -> reprise::Result<jbyteArray> {
    ARROW_ASSIGN_OR_RAISE(const auto found, reprise::ReportOf(report));
    return reprise::BytesToJava(env, found->Json(), "the report");
  });
}

extern "C" JNIEXPORT jstring JNICALL Java_reprise_bridge_Native_operatorLabels(JNIEnv* env, jclass,
                                                                               jlong report,
                                                                               jlong execution) {
  return reprise::Guard<jstring>(env, nullptr, [&]() -> reprise::Result<jstring> {
    ARROW_ASSIGN_OR_RAISE(const auto found, reprise::ReportOf(report));
    return reprise::ToJava(env, found->Labels(execution));
  });
}

extern "C" JNIEXPORT jbyteArray JNICALL Java_reprise_bridge_Native_reportPage(JNIEnv* env, jclass) {
  return reprise::Guard<jbyteArray>(env, nullptr, [&]() -> reprise::Result<jbyteArray> {
    return reprise::BytesToJava(env, reprise::ServedReportPage(), "the page");
  });
}

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_Native_closeReport(JNIEnv* env, jclass,
                                                                         jlong report) {
  reprise::Guard(env, false, [&]() -> reprise::Result<bool> {
    reprise::OpenReports().Take(report);
    return true;
  });
}
