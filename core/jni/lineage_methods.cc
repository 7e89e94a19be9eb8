// The method of reprise.bridge.Native that draws lineages for the replay debugger.
#include <jni.h>

#include "eventlog/load_log.h"
#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "lineage/graphviz.h"
#include "lineage/lineage_dot.h"
#include "lineage/lineage_graph.h"

namespace reprise {

namespace {

Status Draw(const std::string& log, const std::string& format, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const LoadedLog loaded, LoadLog(log, {}));
  ARROW_ASSIGN_OR_RAISE(const LineageGraph graph, BuildLineageGraph(loaded.model, {}));
  return RenderGraph(LineageDot(graph), format, path);
}

Status DrawLineageOf(JNIEnv* env, jstring log, jstring format, jstring file) {
  ARROW_ASSIGN_OR_RAISE(const std::string log_path, FromJava(env, log, "log"));
  ARROW_ASSIGN_OR_RAISE(const std::string format_name, FromJava(env, format, "format"));
  ARROW_ASSIGN_OR_RAISE(const std::string file_path, FromJava(env, file, "file"));
  const Status drawn = Draw(log_path, format_name, file_path);
  return drawn.ok() ? drawn : IllegalArgument(drawn.message());
}

}  // namespace
}  // namespace reprise

extern "C" JNIEXPORT void JNICALL Java_reprise_bridge_Native_drawLineage(JNIEnv* env, jclass,
                                                                         jstring log,
                                                                         jstring format,
                                                                         jstring file) {
  reprise::GuardVoid(env, [&] { return reprise::DrawLineageOf(env, log, format, file); });
}
