#include "jni/upcalls.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "jni/java_errors.h"
#include "jni/java_text.h"

namespace reprise {

namespace {

JNIEnv* RequireEnv() {
  JNIEnv* env = CurrentEnv();
  REPRISE_CHECK(env != nullptr, "a fragment ran on a thread that is not the JVM's");
  return env;
}

// RowSource.FAILS_NEXT.
constexpr jint kFailsNext = std::numeric_limits<jint>::min();

class JavaRowSource : public RowSource {
 public:
  JavaRowSource(GlobalRef source, StoredThrowable* stored)
      : source_(std::move(source)), stored_(stored) {}

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    JNIEnv* env = RequireEnv();
    const jint filled = env->CallIntMethod(
        source_.get(), Java().fill, reinterpret_cast<jlong>(rows), static_cast<jlong>(capacity),
        reinterpret_cast<jlong>(lengths), static_cast<jint>(rows_max));
    if (env->ExceptionCheck()) {
      stored_->TakePending(env);
      return Status::ExecutionError("the iterator of the input rows has thrown");
    }
    if (filled >= 0) return Filled{filled, 0};
    if (filled == kFailsNext) return Filled{0, 0, true};
    return Filled{0, -static_cast<int64_t>(filled)};
  }

 private:
  GlobalRef source_;
  StoredThrowable* stored_;
};

class JavaPieceSource final : public PieceSource {
 public:
  JavaPieceSource(JNIEnv* env, jobject source, StoredThrowable* stored)
      : source_(env, source), rows_(GlobalRef(env, source), stored), stored_(stored) {}

  Status Read(int32_t file, int64_t start, int64_t length) override {
    JNIEnv* env = RequireEnv();
    env->CallVoidMethod(source_.get(), Java().read_piece, static_cast<jint>(file),
                        static_cast<jlong>(start), static_cast<jlong>(length));
    if (!env->ExceptionCheck()) return Status::OK();
    stored_->TakePending(env);
    return Status::ExecutionError("Spark's reader has thrown");
  }

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return rows_.Fill(rows, capacity, lengths, rows_max);
  }

 private:
  GlobalRef source_;
  JavaRowSource rows_;
  StoredThrowable* stored_;
};

// A copy of a Java array.
Result<std::shared_ptr<arrow::Buffer>> CopyOf(JNIEnv* env, jbyteArray bytes,
                                              arrow::MemoryPool* pool) {
  const jsize length = env->GetArrayLength(bytes);
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(length, pool));
  env->GetByteArrayRegion(bytes, 0, length, reinterpret_cast<jbyte*>(buffer->mutable_data()));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

class JavaBlockSource : public BlockSource {
 public:
  JavaBlockSource(GlobalRef source, StoredThrowable* stored)
      : source_(std::move(source)), stored_(stored) {}

  Result<std::shared_ptr<arrow::Buffer>> Next(arrow::MemoryPool* pool) override {
    JNIEnv* env = RequireEnv();
    const auto bytes =
        static_cast<jbyteArray>(env->CallObjectMethod(source_.get(), Java().next_block));
    if (env->ExceptionCheck()) {
      stored_->TakePending(env);
      return Status::ExecutionError("the iterator of the blocks has thrown");
    }
    if (bytes == nullptr) return nullptr;
    auto block = CopyOf(env, bytes, pool);
    env->DeleteLocalRef(bytes);
    return block;
  }

 private:
  GlobalRef source_;
  StoredThrowable* stored_;
};

// The batch whose handle a method gives; nothing at the end.
Result<std::optional<Batch>> BatchOf(const GlobalRef& source, jmethodID method,
                                     const std::function<Result<Batch>(int64_t)>& take,
                                     StoredThrowable* stored, const char* thrown) {
  JNIEnv* env = RequireEnv();
  const jlong handle = env->CallLongMethod(source.get(), method);
  if (env->ExceptionCheck()) {
    stored->TakePending(env);
    return Status::ExecutionError(thrown);
  }
  if (handle == 0) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(Batch batch, take(handle));
  return batch;
}

class JavaBatchSource : public BatchSource {
 public:
  JavaBatchSource(GlobalRef source, std::function<Result<Batch>(int64_t)> take,
                  StoredThrowable* stored)
      : source_(std::move(source)), take_(std::move(take)), stored_(stored) {}

  Result<std::optional<Batch>> Next() override {
    return BatchOf(source_, Java().next_batch, take_, stored_,
                   "the iterator of the batches has thrown");
  }

 private:
  GlobalRef source_;
  std::function<Result<Batch>(int64_t)> take_;
  StoredThrowable* stored_;
};

class JavaArrowSource final : public ArrowSource {
 public:
  JavaArrowSource(GlobalRef source, std::function<Result<Batch>(int64_t)> take,
                  StoredThrowable* stored)
      : source_(std::move(source)), take_(std::move(take)), stored_(stored) {}

  Result<std::optional<ForeignColumns>> Next() override {
    JNIEnv* env = RequireEnv();
    const auto told =
        static_cast<jlongArray>(env->CallObjectMethod(source_.get(), Java().next_columns));
    if (env->ExceptionCheck()) {
      stored_->TakePending(env);
      return Status::ExecutionError("what gives the columns has thrown");
    }
    if (told == nullptr) return std::nullopt;
    std::vector<jlong> words(static_cast<size_t>(env->GetArrayLength(told)));
    env->GetLongArrayRegion(told, 0, static_cast<jsize>(words.size()), words.data());
    env->DeleteLocalRef(told);
    if (words.size() % 2 == 0)
      return Status::Invalid("columns are told by an even number of words");
    ForeignColumns columns;
    columns.rows = words[0];
    for (size_t i = 1; i < words.size(); i += 2) {
      columns.buffers.emplace_back(reinterpret_cast<const uint8_t*>(words[i]),
                                   static_cast<size_t>(words[i + 1]));
    }
    return columns;
  }

  Result<std::optional<Batch>> Kept() override {
    return BatchOf(source_, Java().kept_batch, take_, stored_, "what keeps batches has thrown");
  }

 private:
  GlobalRef source_;
  std::function<Result<Batch>(int64_t)> take_;
  StoredThrowable* stored_;
};

class JavaColumnSource final : public ColumnSource {
 public:
  JavaColumnSource(GlobalRef source, StoredThrowable* stored)
      : source_(std::move(source)), stored_(stored) {}

  Result<int64_t> Next() override { return Call(Java().next_column_rows); }

  Result<int64_t> CopyFixed(int column, int64_t first, int64_t count, int width, uint8_t* values,
                            uint8_t* nulls) override {
    return Call(Java().copy_fixed, static_cast<jint>(column), static_cast<jint>(first),
                static_cast<jint>(count), static_cast<jint>(width), AddressOf(values),
                AddressOf(nulls));
  }

  Result<int64_t> CopyBytes(int column, int64_t first, int64_t count, uint8_t* values,
                            int64_t capacity, int32_t* lengths) override {
    return Call(Java().copy_bytes, static_cast<jint>(column), static_cast<jint>(first),
                static_cast<jint>(count), AddressOf(values), static_cast<jlong>(capacity),
                AddressOf(lengths));
  }

  Status Raise() override {
    JNIEnv* env = RequireEnv();
    env->CallVoidMethod(source_.get(), Java().raise);
    if (env->ExceptionCheck()) stored_->TakePending(env);
    return Thrown();
  }

 private:
  static jlong AddressOf(void* memory) { return reinterpret_cast<jlong>(memory); }
  static Status Thrown() { return Status::ExecutionError("what gives the columns has thrown"); }

  template <typename... Arguments>
  Result<int64_t> Call(jmethodID method, Arguments... arguments) {
    JNIEnv* env = RequireEnv();
    const jlong answer = env->CallLongMethod(source_.get(), method, arguments...);
    if (!env->ExceptionCheck()) return answer;
    stored_->TakePending(env);
    return Thrown();
  }

  GlobalRef source_;
  StoredThrowable* stored_;
};

class JavaCacheSource final : public CacheSource {
 public:
  JavaCacheSource(GlobalRef source, StoredThrowable* stored)
      : source_(std::move(source)), stored_(stored) {}

  Result<int64_t> Next() override {
    JNIEnv* env = RequireEnv();
    const jlong rows = env->CallLongMethod(source_.get(), Java().next_cached_rows);
    if (env->ExceptionCheck()) return Thrown(env);
    return rows;
  }

  Status Raise() override {
    JNIEnv* env = RequireEnv();
    env->CallVoidMethod(source_.get(), Java().raise_of_cache);
    return Thrown(env);
  }

  Result<std::shared_ptr<arrow::Buffer>> Column(int column, arrow::MemoryPool* pool) override {
    JNIEnv* env = RequireEnv();
    const auto bytes = static_cast<jbyteArray>(
        env->CallObjectMethod(source_.get(), Java().cached_column, static_cast<jint>(column)));
    if (env->ExceptionCheck()) return Thrown(env);
    auto copy = CopyOf(env, bytes, pool);
    env->DeleteLocalRef(bytes);
    return copy;
  }

 private:
  Status Thrown(JNIEnv* env) {
    if (env->ExceptionCheck()) stored_->TakePending(env);
    return Status::ExecutionError("what gives the batches of a cached table has thrown");
  }

  GlobalRef source_;
  StoredThrowable* stored_;
};

class JavaGuestRows final : public GuestRows {
 public:
  JavaGuestRows(JNIEnv* env, jobject source, StoredThrowable* stored)
      : source_(env, source), results_(GlobalRef(env, source), stored), stored_(stored) {}

  Status Begin(const EncodedRows& rows) override {
    JNIEnv* env = RequireEnv();
    env->CallVoidMethod(source_.get(), Java().begin_guests, reinterpret_cast<jlong>(rows.bytes),
                        reinterpret_cast<jlong>(rows.offsets), static_cast<jint>(rows.row_count));
    if (!env->ExceptionCheck()) return Status::OK();
    stored_->TakePending(env);
    return Status::ExecutionError("the guests have thrown before their first row");
  }

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return results_.Fill(rows, capacity, lengths, rows_max);
  }

  Result<std::vector<std::pair<int, Status>>> Failures() override {
    JNIEnv* env = RequireEnv();
    const auto thrown =
        static_cast<jobjectArray>(env->CallObjectMethod(source_.get(), Java().guest_failures));
    if (env->ExceptionCheck()) {
      stored_->TakePending(env);
      return Status::ExecutionError("the guests do not say whether a row has failed");
    }
    std::vector<std::pair<int, Status>> failures;
    const jsize count = thrown == nullptr ? 0 : env->GetArrayLength(thrown);
    for (jsize i = 0; i < count; ++i) {
      const auto one = static_cast<jthrowable>(env->GetObjectArrayElement(thrown, i));
      if (one == nullptr) continue;
      failures.emplace_back(i, ThrownByJava(env, one, "a guest has thrown"));
      env->DeleteLocalRef(one);
    }
    env->DeleteLocalRef(thrown);
    return failures;
  }

 private:
  GlobalRef source_;
  JavaRowSource results_;
  StoredThrowable* stored_;
};

class JavaGuestGroups final : public GuestGroups {
 public:
  JavaGuestGroups(JNIEnv* env, jobject source, StoredThrowable* stored)
      : source_(env, source), rows_(GlobalRef(env, source), stored), stored_(stored) {}

  Status Clear() override { return Call(Java().clear_groups); }

  Status Update(const EncodedRows& rows, const int32_t* groups) override {
    return Add(Java().update_groups, rows, groups);
  }

  Status Merge(const EncodedRows& rows, const int32_t* groups) override {
    return Add(Java().merge_groups, rows, groups);
  }

  Status Begin(int32_t begin, int32_t end, bool results) override {
    return Call(Java().begin_groups, static_cast<jint>(begin), static_cast<jint>(end),
                static_cast<jboolean>(results ? JNI_TRUE : JNI_FALSE));
  }

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    return rows_.Fill(rows, capacity, lengths, rows_max);
  }

 private:
  Status Add(jmethodID method, const EncodedRows& rows, const int32_t* groups) {
    return Call(method, reinterpret_cast<jlong>(rows.bytes), reinterpret_cast<jlong>(rows.offsets),
                reinterpret_cast<jlong>(groups), static_cast<jint>(rows.row_count));
  }

  template <typename... Arguments>
  Status Call(jmethodID method, Arguments... arguments) {
    JNIEnv* env = RequireEnv();
    env->CallVoidMethod(source_.get(), method, arguments...);
    if (!env->ExceptionCheck()) return Status::OK();
    stored_->TakePending(env);
    return Status::ExecutionError("an aggregate function of Spark's has thrown");
  }

  GlobalRef source_;
  JavaRowSource rows_;
  StoredThrowable* stored_;
};

class JavaMemoryManager final : public MemoryManager {
 public:
  JavaMemoryManager(std::shared_ptr<GlobalRef> probe, StoredThrowable* stored)
      : probe_(std::move(probe)), stored_(stored) {}

  int64_t Acquire(int64_t bytes) override {
    jlong granted = 0;
    Call([&](JNIEnv* env) {
      granted = env->CallLongMethod(probe_->get(), Java().acquire, static_cast<jlong>(bytes));
      return !env->ExceptionCheck();
    });
    return std::clamp<int64_t>(granted, 0, bytes);
  }

  void Release(int64_t bytes) override {
    Call([&](JNIEnv* env) {
      env->CallVoidMethod(probe_->get(), Java().release, static_cast<jlong>(bytes));
      return !env->ExceptionCheck();
    });
  }

 private:
  // Memory may be freed while an exception is on its way to Java: it is put aside meanwhile.
  template <typename Function>
  void Call(Function&& function) {
    JNIEnv* env = RequireEnv();
    const jthrowable pending = env->ExceptionOccurred();
    if (pending != nullptr) env->ExceptionClear();
    if (!function(env)) stored_->TakePending(env);
    if (pending == nullptr) return;
    env->Throw(pending);
    env->DeleteLocalRef(pending);
  }

  std::shared_ptr<GlobalRef> probe_;
  StoredThrowable* stored_;
};

Result<std::vector<std::string>> SpillDirectoriesOf(JNIEnv* env, jobject probe,
                                                    StoredThrowable* stored) {
  const auto names =
      static_cast<jobjectArray>(env->CallObjectMethod(probe, Java().spill_directories));
  if (env->ExceptionCheck()) {
    stored->TakePending(env);
    return Status::ExecutionError("the task's spill directories could not be had");
  }
  std::vector<std::string> directories;
  const jsize count = names == nullptr ? 0 : env->GetArrayLength(names);
  for (jsize i = 0; i < count; ++i) {
    const auto name = static_cast<jstring>(env->GetObjectArrayElement(names, i));
    ARROW_ASSIGN_OR_RAISE(std::string directory, FromJava(env, name, "a spill directory"));
    directories.push_back(std::move(directory));
    env->DeleteLocalRef(name);
  }
  return directories;
}

/// TaskProbe.spillKey; empty where spill files are not encrypted.
Result<std::string> SpillKeyOf(JNIEnv* env, jobject probe, StoredThrowable* stored) {
  const auto key = static_cast<jbyteArray>(env->CallObjectMethod(probe, Java().spill_key));
  if (env->ExceptionCheck()) {
    stored->TakePending(env);
    return Status::ExecutionError("the key for the task's spill files could not be had");
  }
  return key == nullptr ? std::string() : FromJava(env, key, "the key");
}

/// TaskProbe.toProleptic on the microseconds, in place.
Status ToProleptic(jobject probe, const std::optional<std::string>& zone,
                   std::vector<int64_t>* micros, StoredThrowable* stored) {
  JNIEnv* env = RequireEnv();
  const auto count = static_cast<jsize>(micros->size());
  const jstring zone_id = zone ? ToJava(env, *zone) : nullptr;
  const jlongArray instants = env->ExceptionCheck() ? nullptr : env->NewLongArray(count);
  if (instants != nullptr) {
    auto* values = reinterpret_cast<jlong*>(micros->data());
    env->SetLongArrayRegion(instants, 0, count, values);
    env->CallVoidMethod(probe, Java().to_proleptic, zone_id, instants);
    if (!env->ExceptionCheck()) env->GetLongArrayRegion(instants, 0, count, values);
  }
  const bool failed = env->ExceptionCheck();
  if (failed) stored->TakePending(env);
  env->DeleteLocalRef(instants);
  env->DeleteLocalRef(zone_id);
  return failed ? Status::ExecutionError("instants of the legacy calendar could not be moved")
                : Status::OK();
}

/// TaskProbe.medianTaskMs.
std::optional<int64_t> MedianTaskMs(jobject probe, StoredThrowable* stored) {
  JNIEnv* env = RequireEnv();
  const jlong median = env->CallLongMethod(probe, Java().median_task_ms);
  if (env->ExceptionCheck()) {
    stored->TakePending(env);
    return std::nullopt;
  }
  return median < 0 ? std::nullopt : std::optional<int64_t>(median);
}

}  // namespace

void StoredThrowable::TakePending(JNIEnv* env) {
  jthrowable pending = env->ExceptionOccurred();
  env->ExceptionClear();
  if (empty()) throwable_ = GlobalRef(env, pending);
  env->DeleteLocalRef(pending);
}

void StoredThrowable::Rethrow(JNIEnv* env) {
  if (env->Throw(static_cast<jthrowable>(throwable_.get())) == JNI_OK) throwable_.reset();
}

std::unique_ptr<PieceSource> MakeJavaPieceSource(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored) {
  return std::make_unique<JavaPieceSource>(env, source, stored);
}

std::unique_ptr<RowSource> MakeJavaRowSource(JNIEnv* env, jobject source, StoredThrowable* stored) {
  return std::make_unique<JavaRowSource>(GlobalRef(env, source), stored);
}

std::unique_ptr<BlockSource> MakeJavaBlockSource(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored) {
  return std::make_unique<JavaBlockSource>(GlobalRef(env, source), stored);
}

std::unique_ptr<BatchSource> MakeJavaBatchSource(JNIEnv* env, jobject source,
                                                 std::function<Result<Batch>(int64_t)> take,
                                                 StoredThrowable* stored) {
  return std::make_unique<JavaBatchSource>(GlobalRef(env, source), std::move(take), stored);
}

std::unique_ptr<ArrowSource> MakeJavaArrowSource(JNIEnv* env, jobject source,
                                                 std::function<Result<Batch>(int64_t)> take,
                                                 StoredThrowable* stored) {
  return std::make_unique<JavaArrowSource>(GlobalRef(env, source), std::move(take), stored);
}

std::unique_ptr<ColumnSource> MakeJavaColumnSource(JNIEnv* env, jobject source,
                                                   StoredThrowable* stored) {
  return std::make_unique<JavaColumnSource>(GlobalRef(env, source), stored);
}

std::unique_ptr<CacheSource> MakeJavaCacheSource(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored) {
  return std::make_unique<JavaCacheSource>(GlobalRef(env, source), stored);
}

std::unique_ptr<GuestRows> MakeJavaGuestRows(JNIEnv* env, jobject source, StoredThrowable* stored) {
  return std::make_unique<JavaGuestRows>(env, source, stored);
}

std::unique_ptr<GuestGroups> MakeJavaGuestGroups(JNIEnv* env, jobject source,
                                                 StoredThrowable* stored) {
  return std::make_unique<JavaGuestGroups>(env, source, stored);
}

Result<TaskServices> MakeJavaServices(JNIEnv* env, jobject probe, StoredThrowable* stored) {
  TaskServices services;
  if (probe == nullptr) return services;
  // A std::function must be copyable, a GlobalRef is not.
  auto shared = std::make_shared<GlobalRef>(env, probe);
  services.cancelled = [shared, stored] {
    JNIEnv* here = RequireEnv();
    const jboolean cancelled = here->CallBooleanMethod(shared->get(), Java().is_cancelled);
    if (!here->ExceptionCheck()) return cancelled == JNI_TRUE;
    stored->TakePending(here);
    return true;
  };
  ARROW_ASSIGN_OR_RAISE(services.spill_storage.directories, SpillDirectoriesOf(env, probe, stored));
  ARROW_ASSIGN_OR_RAISE(services.spill_storage.key, SpillKeyOf(env, probe, stored));
  services.rebase_instants = [shared, stored](const std::optional<std::string>& zone,
                                              std::vector<int64_t>* micros) {
    return ToProleptic(shared->get(), zone, micros, stored);
  };
  services.median_task_ms = [shared, stored] { return MedianTaskMs(shared->get(), stored); };
  services.memory = std::make_shared<JavaMemoryManager>(std::move(shared), stored);
  return services;
}

}  // namespace reprise
