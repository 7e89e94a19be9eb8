// The methods of reprise.bridge.Native that a replay on Spark calls. What is wrong with a dump or
// with a command is an IllegalArgumentException.
#include <jni.h>

#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "jni/open_fragments.h"
#include "jni/replayed_command.h"
#include "replay/description.h"
#include "task/fragment_task.h"

namespace reprise {

namespace {

Result<jstring> DescribeDump(JNIEnv* env, jstring folder) {
  ARROW_ASSIGN_OR_RAISE(const std::string path, FromJava(env, folder, "folder"));
  const Result<OperatorDump> dump = OperatorDump::Open(path);
  if (!dump.ok()) return IllegalArgument(dump.status().message());
  return ToJava(env, Describe(*dump).dump());
}

// The command has refused what a limit has cut, unless it was told not to.
Result<InputRecord> RecordOf(const std::string& path, int stream, int partition, int64_t attempt) {
  ARROW_ASSIGN_OR_RAISE(const OperatorDump dump, OperatorDump::Open(path));
  if (dump.plan().streams_apart && stream >= 0 && stream < std::ssize(dump.inputs())) {
    const int wanted = dump.inputs()[stream]->is_shared() ? 0 : partition;
    ARROW_ASSIGN_OR_RAISE(StreamRecord record, dump.StreamPartition(stream, wanted));
    const bool exhausted = record.meta.end == StreamEnd::kExhausted;
    return InputRecord{std::move(record), exhausted};
  }
  ARROW_ASSIGN_OR_RAISE(PartitionRecord record, attempt < 0
                                                    ? dump.Partition(partition, /*truncated=*/true)
                                                    : dump.Attempt(partition, attempt));
  if (stream < 0 || stream >= std::ssize(record.inputs)) {
    return Status::Invalid(path, " has ", record.inputs.size(), " inputs, and no input ", stream);
  }
  const bool exhausted = record.HoldsWhatWasWanted(record.inputs[stream]);
  return InputRecord{std::move(record.inputs[stream]), exhausted};
}

Result<jlong> OpenRecord(JNIEnv* env, jstring folder, jint stream, jint partition, jlong attempt) {
  ARROW_ASSIGN_OR_RAISE(const std::string path, FromJava(env, folder, "folder"));
  const Result<InputRecord> record = RecordOf(path, stream, partition, attempt);
  if (!record.ok()) return IllegalArgument(record.status().message());
  ARROW_ASSIGN_OR_RAISE(auto task, FragmentTask::OpenRecord(*record));
  return KeepFragment(std::move(task));
}

}  // namespace
}  // namespace reprise

#define REPRISE_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_reprise_bridge_Native_##name

REPRISE_NATIVE(jstring, describeDump)(JNIEnv* env, jclass, jstring folder) {
  return reprise::Guard(env, jstring{}, [&] { return reprise::DescribeDump(env, folder); });
}

REPRISE_NATIVE(jlong, openRecord)
(JNIEnv* env, jclass, jstring folder, jint stream, jint partition, jlong attempt) {
  return reprise::Guard(
      env, jlong{0}, [&] { return reprise::OpenRecord(env, folder, stream, partition, attempt); });
}

REPRISE_NATIVE(jint, replay)
(JNIEnv* env, jclass, jobjectArray arguments, jobject replayed, jobjectArray report) {
  return reprise::Guard(
      env, jint{0}, [&] { return reprise::ReplayCommandLine(env, arguments, replayed, report); });
}

REPRISE_NATIVE(jint, shrink)
(JNIEnv* env, jclass, jobjectArray arguments, jobject dumps) {
  return reprise::Guard(env, jint{0},
                        [&] { return reprise::ShrinkCommandLine(env, arguments, dumps); });
}
