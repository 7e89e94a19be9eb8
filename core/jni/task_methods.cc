// The methods of reprise.bridge.Native that tasks call.
#include <jni.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "jni/java_classes.h"
#include "jni/java_errors.h"
#include "jni/java_file_store.h"
#include "jni/java_text.h"
#include "jni/open_fragments.h"
#include "jni/upcalls.h"
#include "operators/join/shared_builds.h"
#include "task/fragment_task.h"
#include "task/handle_table.h"
#include "transitions/foreign_columns.h"

namespace reprise {

namespace {

constexpr TraceRange kToJavaRange = {"block to Java", "jvm", {"bytes"}};

// A fragment that the JVM has a handle of. One thread at a time is inside it; another one waits.
struct OpenFragment {
  StoredThrowable throwable;  // outlives the task, whose sources refer to it
  std::unique_ptr<FragmentTask> task;
  std::mutex mutex;
  std::atomic<std::thread::id> user;
};

struct HeldBatch {
  int64_t fragment;
  Batch batch;
};

HandleTable<OpenFragment>& Fragments() {
  // Never destroyed: tasks of a JVM that exits may still run.
  static auto* table = new HandleTable<OpenFragment>();
  return *table;
}

HandleTable<HeldBatch>& Batches() {
  static auto* table = new HandleTable<HeldBatch>();
  return *table;
}

// Marks the fragment as used by this thread for the time of a call. A call out of one of the
// fragment's own upcalls would find it halfway through a computation, and would wait for itself: it
// is refused.
class UseOfFragment {
 public:
  // For a spill that Spark asks for: null where another thread is inside the fragment. This thread
  // may be inside it, in one of its upcalls.
  static std::unique_ptr<UseOfFragment> BeginSpill(OpenFragment& fragment) {
    std::unique_lock<std::mutex> lock(fragment.mutex, std::defer_lock);
    const bool is_own = fragment.user.load() == std::this_thread::get_id();
    if (!is_own && !lock.try_lock()) return nullptr;
    return std::unique_ptr<UseOfFragment>(new UseOfFragment(fragment, std::move(lock)));
  }
  static Result<std::unique_ptr<UseOfFragment>> Begin(OpenFragment& fragment) {
    if (fragment.user.load() == std::this_thread::get_id()) {
      return IllegalState("the fragment is called out of its own row source or probe");
    }
    return std::unique_ptr<UseOfFragment>(
        new UseOfFragment(fragment, std::unique_lock(fragment.mutex)));
  }
  ~UseOfFragment() {
    if (lock_.owns_lock()) fragment_.user.store(std::thread::id());
  }

 private:
  UseOfFragment(OpenFragment& fragment, std::unique_lock<std::mutex> lock)
      : fragment_(fragment), lock_(std::move(lock)) {
    fragment.user.store(std::this_thread::get_id());
  }
  OpenFragment& fragment_;
  std::unique_lock<std::mutex> lock_;
};

Status NoSuchHandle(std::string_view what, bool was_given, int64_t handle) {
  return IllegalState(was_given ? fmt::format("{} {} is closed", what, handle)
                                : fmt::format("there is no {} {}", what, handle));
}

// Runs `function` (OpenFragment& -> Result) on an open fragment. A Throwable of an upcall during it
// comes first.
template <typename Function>
auto InFragment(JNIEnv* env, jlong handle, Function&& function)
    -> decltype(function(std::declval<OpenFragment&>())) {
  const std::shared_ptr<OpenFragment> fragment = Fragments().Find(handle);
  if (!fragment) return NoSuchHandle("fragment", Fragments().WasGiven(handle), handle);
  ARROW_ASSIGN_OR_RAISE(const auto use, UseOfFragment::Begin(*fragment));
  // Closed while this thread was waiting.
  if (!fragment->task || fragment->task->is_finished()) {
    return NoSuchHandle("fragment", true, handle);
  }
  auto result = function(*fragment);
  if (fragment->throwable.empty()) return result;
  fragment->throwable.Rethrow(env);
  return Status::ExecutionError("a Java exception is pending");
}

// The batch of a handle that one fragment hands to another: the handle is gone afterwards.
Result<Batch> TakeBatch(int64_t handle) {
  const std::shared_ptr<HeldBatch> held = Batches().Take(handle);
  if (!held) return NoSuchHandle("batch", Batches().WasGiven(handle), handle);
  return std::move(held->batch);
}

Result<TaskSource> SourceOf(JNIEnv* env, jobject source, StoredThrowable* stored) {
  const JavaClasses& java = Java();
  // These are RowSources too.
  if (env->IsInstanceOf(source, java.guest_source)) return MakeJavaGuestRows(env, source, stored);
  if (env->IsInstanceOf(source, java.guest_group_source)) {
    return MakeJavaGuestGroups(env, source, stored);
  }
  if (env->IsInstanceOf(source, java.piece_source)) {
    return MakeJavaPieceSource(env, source, stored);
  }
  if (env->IsInstanceOf(source, java.row_source)) return MakeJavaRowSource(env, source, stored);
  if (env->IsInstanceOf(source, java.block_source)) return MakeJavaBlockSource(env, source, stored);
  if (env->IsInstanceOf(source, java.batch_source)) {
    return MakeJavaBatchSource(env, source, TakeBatch, stored);
  }
  if (env->IsInstanceOf(source, java.arrow_source)) {
    return MakeJavaArrowSource(env, source, TakeBatch, stored);
  }
  if (env->IsInstanceOf(source, java.column_source)) {
    return MakeJavaColumnSource(env, source, stored);
  }
  if (env->IsInstanceOf(source, java.cache_source)) {
    return MakeJavaCacheSource(env, source, stored);
  }
  if (env->IsInstanceOf(source, java.file_source)) return MakeJavaFileStore(env, source);
  return IllegalArgument(
      "it is not a RowSource, ColumnSource, CacheSource, BlockSource, BatchSource, ArrowSource, "
      "GuestSource, "
      "GuestGroupSource, PieceSource or FileSource");
}

Result<std::vector<TaskSource>> SourcesOf(JNIEnv* env, jobjectArray sources,
                                          StoredThrowable* stored) {
  std::vector<TaskSource> made;
  const jsize count = sources ? env->GetArrayLength(sources) : 0;
  for (jsize i = 0; i < count; ++i) {
    jobject source = env->GetObjectArrayElement(sources, i);
    if (source == nullptr) return IllegalArgument(fmt::format("source {} is null", i));
    auto one = SourceOf(env, source, stored);
    env->DeleteLocalRef(source);
    if (!one.ok()) return WithPrefix(one.status(), fmt::format("source {}: ", i));
    made.push_back(std::move(*one));
  }
  return made;
}

Result<jlong> Open(JNIEnv* env, jstring fragment_json, jstring task_json, jobjectArray sources,
                   jobject probe) {
  ARROW_ASSIGN_OR_RAISE(const std::string fragment_text,
                        FromJava(env, fragment_json, "fragmentJson"));
  ARROW_ASSIGN_OR_RAISE(const std::string task_text, FromJava(env, task_json, "taskJson"));
  auto fragment = std::make_shared<OpenFragment>();
  ARROW_ASSIGN_OR_RAISE(auto made, SourcesOf(env, sources, &fragment->throwable));
  ARROW_ASSIGN_OR_RAISE(auto services, MakeJavaServices(env, probe, &fragment->throwable));
  ARROW_ASSIGN_OR_RAISE(fragment->task, FragmentTask::Open(fragment_text, task_text,
                                                           std::move(made), std::move(services)));
  return Fragments().Add(std::move(fragment));
}

Result<jlong> Next(OpenFragment& fragment, jlong handle) {
  ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, fragment.task->Next());
  if (!batch) return jlong{0};
  return Batches().Add(std::make_shared<HeldBatch>(HeldBatch{handle, std::move(*batch)}));
}

Result<jbyteArray> NextBlock(JNIEnv* env, OpenFragment& fragment, jlongArray out) {
  if (out == nullptr || env->GetArrayLength(out) < 2) {
    return IllegalArgument("out must have two elements");
  }
  ARROW_ASSIGN_OR_RAISE(const auto block, fragment.task->NextBlock());
  if (!block) return jbyteArray{nullptr};
  TraceScope range(fragment.task->trace(), kToJavaRange);
  range.Count(block->bytes->size());
  ARROW_ASSIGN_OR_RAISE(const jbyteArray bytes,
                        BytesToJava(env, std::string_view(*block->bytes), "a block"));
  const jlong facts[2] = {block->partition, block->rows};
  env->SetLongArrayRegion(out, 0, 2, facts);
  return bytes;
}

Result<jint> ToRows(JNIEnv* env, OpenFragment& fragment, jlong handle, jlong batch,
                    jlongArray block) {
  if (block == nullptr || env->GetArrayLength(block) < 2) {
    return IllegalArgument("block must have two elements");
  }
  std::shared_ptr<HeldBatch> held = Batches().Find(batch);
  if (!held) return NoSuchHandle("batch", Batches().WasGiven(batch), batch);
  if (held->fragment != handle) {
    return IllegalState(
        fmt::format("batch {} is of fragment {}, not of {}", batch, held->fragment, handle));
  }
  Batches().Take(batch);
  ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, fragment.task->ToRows(held->batch));
  const jlong addresses[2] = {reinterpret_cast<jlong>(rows.bytes),
                              reinterpret_cast<jlong>(rows.offsets)};
  env->SetLongArrayRegion(block, 0, 2, addresses);
  return rows.row_count;
}

Result<jlong> RowCount(jlong batch) {
  const std::shared_ptr<HeldBatch> held = Batches().Find(batch);
  if (!held) return NoSuchHandle("batch", Batches().WasGiven(batch), batch);
  return held->batch.selected_count();
}

Result<jbyteArray> ArrowMessage(JNIEnv* env, jlong batch, jintArray columns, jboolean as_struct) {
  const std::shared_ptr<HeldBatch> held = Batches().Find(batch);
  if (!held) return NoSuchHandle("batch", Batches().WasGiven(batch), batch);
  if (columns == nullptr) return IllegalArgument("columns is null");
  std::vector<int> numbers(static_cast<size_t>(env->GetArrayLength(columns)));
  static_assert(sizeof(jint) == sizeof(int));
  env->GetIntArrayRegion(columns, 0, static_cast<jsize>(numbers.size()), numbers.data());
  ARROW_ASSIGN_OR_RAISE(const auto message,
                        RecordBatchMessage(held->batch, numbers, as_struct == JNI_TRUE));
  return BytesToJava(env, std::string_view(*message), "a message");
}

Result<jboolean> IsSet(jlong batch, jint column) {
  const std::shared_ptr<HeldBatch> held = Batches().Find(batch);
  if (!held) return NoSuchHandle("batch", Batches().WasGiven(batch), batch);
  const auto& columns = held->batch.columns;
  if (column < 0 || column >= std::ssize(columns) || held->batch.row_count == 0 ||
      columns[static_cast<size_t>(column)]->type_id() != arrow::Type::BOOL) {
    return IllegalArgument(fmt::format("column {} of batch {} is none of booleans", column, batch));
  }
  const auto& values =
      static_cast<const arrow::BooleanArray&>(*columns[static_cast<size_t>(column)]);
  return static_cast<jboolean>(values.Value(0) ? JNI_TRUE : JNI_FALSE);
}

// Copied: a slice would keep all rows.
Result<jlong> FirstRow(jlong batch) {
  const std::shared_ptr<HeldBatch> held = Batches().Take(batch);
  if (!held) return NoSuchHandle("batch", Batches().WasGiven(batch), batch);
  if (held->batch.row_count == 0) return IllegalState(fmt::format("batch {} has no rows", batch));
  Batch first{held->batch.schema, {}, 1, nullptr};
  constexpr int32_t kFirst = 0;
  for (const auto& column : held->batch.columns) {
    ARROW_ASSIGN_OR_RAISE(auto copied, Gather(*column, {&kFirst, 1}, arrow::default_memory_pool()));
    first.columns.push_back(std::move(copied));
  }
  return Batches().Add(std::make_shared<HeldBatch>(HeldBatch{held->fragment, std::move(first)}));
}

Status FreeBatch(jlong batch) {
  if (!Batches().WasGiven(batch)) return NoSuchHandle("batch", false, batch);
  Batches().Take(batch);
  return Status::OK();
}

Result<bool> Metrics(JNIEnv* env, OpenFragment& fragment, jlongArray out) {
  static_assert(sizeof(jlong) == sizeof(int64_t));
  const int64_t expected = fragment.task->metric_count();
  const int64_t length = out ? env->GetArrayLength(out) : 0;
  if (length != expected) {
    return IllegalArgument(
        fmt::format("out has {} elements; the fragment has {} metrics", length, expected));
  }
  std::vector<int64_t> values(static_cast<size_t>(length));
  fragment.task->Metrics(values);
  env->SetLongArrayRegion(out, 0, static_cast<jsize>(length),
                          reinterpret_cast<const jlong*>(values.data()));
  return true;
}

// Spark's memory manager calls this under its lock, so it must not wait for the fragment.
Result<jlong> Spill(jlong handle, jlong bytes) {
  const std::shared_ptr<OpenFragment> fragment = Fragments().Find(handle);
  if (!fragment) return jlong{0};
  const auto use = UseOfFragment::BeginSpill(*fragment);
  if (!use || !fragment->task) return jlong{0};
  return fragment->task->Spill(bytes);
}

Result<bool> TaskFiguresOf(JNIEnv* env, OpenFragment& fragment, jlongArray out) {
  const FragmentFigures figures = fragment.task->Figures();
  const jlong values[] = {figures.spilled_bytes, figures.spilled_disk_bytes, figures.peak_bytes,
                          figures.waited_ns};
  if (out == nullptr || env->GetArrayLength(out) != std::ssize(values)) {
    return IllegalArgument("out must have four elements");
  }
  env->SetLongArrayRegion(out, 0, static_cast<jsize>(std::size(values)), values);
  return true;
}

Result<jstring> LedgerEntriesText(JNIEnv* env, OpenFragment& fragment, jstring query) {
  ARROW_ASSIGN_OR_RAISE(const std::string token, FromJava(env, query, "query"));
  return ToJava(env, fragment.task->LedgerText(token));
}

CaptureEnd EndOf(jboolean failed) {
  return failed == JNI_TRUE ? CaptureEnd::kFailed : CaptureEnd::kSucceeded;
}

// Runs `function` (OpenFragment& -> Status) on a fragment that may be closed already.
template <typename Function>
Status ToTheEnd(jlong handle, Function&& function) {
  if (handle == 0) return Status::OK();
  if (!Fragments().WasGiven(handle)) return NoSuchHandle("fragment", false, handle);
  const std::shared_ptr<OpenFragment> fragment = Fragments().Find(handle);
  if (!fragment) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto use, UseOfFragment::Begin(*fragment));
  if (!fragment->task) return Status::OK();  // closed while this thread was waiting
  Batches().TakeIf([handle](const HeldBatch& batch) { return batch.fragment == handle; });
  return function(*fragment);
}

Status Finish(JNIEnv* env, jlong handle, jboolean failed, jstring error) {
  std::string text;
  if (error != nullptr) {
    ARROW_ASSIGN_OR_RAISE(text, FromJava(env, error, "error"));
  }
  return ToTheEnd(
      handle, [&](OpenFragment& fragment) { return fragment.task->Finish(EndOf(failed), text); });
}

Status CloseFragment(jlong handle, jboolean failed) {
  return ToTheEnd(handle, [&](OpenFragment& fragment) {
    Fragments().Take(handle);
    const std::unique_ptr<FragmentTask> task = std::move(fragment.task);
    return task->Close(EndOf(failed));
  });
}

}  // namespace

jlong KeepFragment(std::unique_ptr<FragmentTask> task) {
  auto fragment = std::make_shared<OpenFragment>();
  fragment->task = std::move(task);
  return Fragments().Add(std::move(fragment));
}

}  // namespace reprise

#define REPRISE_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_reprise_bridge_Native_##name

REPRISE_NATIVE(jlong, open)
(JNIEnv* env, jclass, jstring fragment_json, jstring task_json, jobjectArray sources,
 jobject probe) {
  return reprise::Guard(
      env, jlong{0}, [&] { return reprise::Open(env, fragment_json, task_json, sources, probe); });
}

REPRISE_NATIVE(jlong, next)(JNIEnv* env, jclass, jlong fragment) {
  return reprise::Guard(env, jlong{0}, [&] {
    return reprise::InFragment(
        env, fragment, [&](reprise::OpenFragment& open) { return reprise::Next(open, fragment); });
  });
}

REPRISE_NATIVE(jbyteArray, nextBlock)(JNIEnv* env, jclass, jlong fragment, jlongArray out) {
  return reprise::Guard(env, jbyteArray{nullptr}, [&] {
    return reprise::InFragment(env, fragment, [&](reprise::OpenFragment& open) {
      return reprise::NextBlock(env, open, out);
    });
  });
}

REPRISE_NATIVE(jlong, rowCount)(JNIEnv* env, jclass, jlong batch) {
  return reprise::Guard(env, jlong{0}, [&] { return reprise::RowCount(batch); });
}

REPRISE_NATIVE(jint, toRows)(JNIEnv* env, jclass, jlong fragment, jlong batch, jlongArray block) {
  return reprise::Guard(env, jint{0}, [&] {
    return reprise::InFragment(env, fragment, [&](reprise::OpenFragment& open) {
      return reprise::ToRows(env, open, fragment, batch, block);
    });
  });
}

REPRISE_NATIVE(jbyteArray, arrowMessage)
(JNIEnv* env, jclass, jlong batch, jintArray columns, jboolean as_struct) {
  return reprise::Guard(env, jbyteArray{nullptr},
                        [&] { return reprise::ArrowMessage(env, batch, columns, as_struct); });
}

REPRISE_NATIVE(jboolean, isSet)(JNIEnv* env, jclass, jlong batch, jint column) {
  return reprise::Guard(env, jboolean{JNI_FALSE}, [&] { return reprise::IsSet(batch, column); });
}

REPRISE_NATIVE(jlong, firstRow)(JNIEnv* env, jclass, jlong batch) {
  return reprise::Guard(env, jlong{0}, [&] { return reprise::FirstRow(batch); });
}

REPRISE_NATIVE(void, freeBatch)(JNIEnv* env, jclass, jlong batch) {
  reprise::GuardVoid(env, [&] { return reprise::FreeBatch(batch); });
}

REPRISE_NATIVE(void, metrics)(JNIEnv* env, jclass, jlong fragment, jlongArray out) {
  reprise::Guard(env, false, [&] {
    return reprise::InFragment(env, fragment, [&](reprise::OpenFragment& open) {
      return reprise::Metrics(env, open, out);
    });
  });
}

REPRISE_NATIVE(jlong, spill)(JNIEnv* env, jclass, jlong fragment, jlong bytes) {
  return reprise::Guard(env, jlong{0}, [&] { return reprise::Spill(fragment, bytes); });
}

REPRISE_NATIVE(void, taskFigures)(JNIEnv* env, jclass, jlong fragment, jlongArray out) {
  reprise::Guard(env, false, [&] {
    return reprise::InFragment(env, fragment, [&](reprise::OpenFragment& open) {
      return reprise::TaskFiguresOf(env, open, out);
    });
  });
}

REPRISE_NATIVE(jstring, ledgerEntries)(JNIEnv* env, jclass, jlong fragment, jstring query) {
  return reprise::Guard(env, jstring{}, [&] {
    return reprise::InFragment(env, fragment, [&](reprise::OpenFragment& open) {
      return reprise::LedgerEntriesText(env, open, query);
    });
  });
}

REPRISE_NATIVE(jstring, liveFragments)(JNIEnv* env, jclass) {
  return reprise::Guard(env, jstring{}, [&]() -> reprise::Result<jstring> {
    return reprise::ToJava(env, reprise::LiveFragmentsText());
  });
}

REPRISE_NATIVE(void, finish)
(JNIEnv* env, jclass, jlong fragment, jboolean failed, jstring error) {
  reprise::GuardVoid(env, [&] { return reprise::Finish(env, fragment, failed, error); });
}

REPRISE_NATIVE(void, close)(JNIEnv* env, jclass, jlong fragment, jboolean failed) {
  reprise::GuardVoid(env, [&] { return reprise::CloseFragment(fragment, failed); });
}

REPRISE_NATIVE(void, releaseBroadcast)(JNIEnv* env, jclass, jlong broadcast) {
  reprise::GuardVoid(env, [&] {
    reprise::SharedBuilds::Instance().Release(broadcast);
    return reprise::Status::OK();
  });
}
