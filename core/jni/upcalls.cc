#include "jni/upcalls.h"

#include "base/check.h"

namespace reprise {

namespace {

JNIEnv* RequireEnv() {
  JNIEnv* env = CurrentEnv();
  REPRISE_CHECK(env != nullptr, "a fragment ran on a thread that is not the JVM's");
  return env;
}

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
    return Filled{0, -static_cast<int64_t>(filled)};
  }

 private:
  GlobalRef source_;
  StoredThrowable* stored_;
};

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
    auto block = Copy(env, bytes, pool);
    env->DeleteLocalRef(bytes);
    return block;
  }

 private:
  static Result<std::shared_ptr<arrow::Buffer>> Copy(JNIEnv* env, jbyteArray bytes,
                                                     arrow::MemoryPool* pool) {
    const jsize length = env->GetArrayLength(bytes);
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(length, pool));
    env->GetByteArrayRegion(bytes, 0, length, reinterpret_cast<jbyte*>(buffer->mutable_data()));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

  GlobalRef source_;
  StoredThrowable* stored_;
};

class JavaBatchSource : public BatchSource {
 public:
  JavaBatchSource(GlobalRef source, std::function<Result<Batch>(int64_t)> take,
                  StoredThrowable* stored)
      : source_(std::move(source)), take_(std::move(take)), stored_(stored) {}

  Result<std::optional<Batch>> Next() override {
    JNIEnv* env = RequireEnv();
    const jlong handle = env->CallLongMethod(source_.get(), Java().next_batch);
    if (env->ExceptionCheck()) {
      stored_->TakePending(env);
      return Status::ExecutionError("the iterator of the batches has thrown");
    }
    if (handle == 0) return std::nullopt;
    ARROW_ASSIGN_OR_RAISE(Batch batch, take_(handle));
    return batch;
  }

 private:
  GlobalRef source_;
  std::function<Result<Batch>(int64_t)> take_;
  StoredThrowable* stored_;
};

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

std::function<bool()> MakeJavaProbe(JNIEnv* env, jobject probe, StoredThrowable* stored) {
  if (probe == nullptr) return {};
  // A std::function must be copyable, a GlobalRef is not.
  auto shared = std::make_shared<GlobalRef>(env, probe);
  return [shared, stored] {
    JNIEnv* here = RequireEnv();
    const jboolean cancelled = here->CallBooleanMethod(shared->get(), Java().is_cancelled);
    if (!here->ExceptionCheck()) return cancelled == JNI_TRUE;
    stored->TakePending(here);
    return true;
  };
}

}  // namespace reprise
