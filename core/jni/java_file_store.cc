#include "jni/java_file_store.h"

#include <vector>

#include "base/check.h"
#include "base/first_line.h"
#include "jni/java_classes.h"
#include "jni/java_text.h"
#include "scan/file_errors.h"

namespace reprise {

namespace {

// The Throwable that is pending, which is taken.
Status TakeThrown(JNIEnv* env, const std::string& location) {
  const jthrowable thrown = env->ExceptionOccurred();
  env->ExceptionClear();
  if (env->IsInstanceOf(thrown, Java().file_not_found)) return MissingFileError(location);
  const auto text = static_cast<jstring>(env->CallObjectMethod(thrown, Java().throwable_text));
  if (env->ExceptionCheck()) env->ExceptionClear();
  const auto message = FromJava(env, text, "the text");
  // It may go on with a stack trace.
  return Status::IOError(message.ok() ? FirstLine(*message) : "it does not say why");
}

// Calls `function` with the environment of this thread, which is the task's.
template <typename Function>
Status Call(const std::string& location, Function&& function) {
  JNIEnv* env = CurrentEnv();
  REPRISE_CHECK(env != nullptr, "a remote file was read on a thread that is not the JVM's");
  const LocalFrame frame(env);
  function(env);
  return env->ExceptionCheck() ? TakeThrown(env, location) : Status::OK();
}

template <typename Array, typename Value>
Array ToArray(JNIEnv* env, const std::vector<Value>& values, Array (JNIEnv::*make)(jsize),
              void (JNIEnv::*fill)(Array, jsize, jsize, const Value*)) {
  const auto count = static_cast<jsize>(values.size());
  const Array array = (env->*make)(count);
  if (array != nullptr) (env->*fill)(array, 0, count, values.data());
  return array;
}

class JavaFile final : public StoredFile {
 public:
  JavaFile(std::string location, GlobalRef file)
      : location_(std::move(location)), file_(std::move(file)) {}

  // Whatever is on its way to Java meanwhile goes on.
  ~JavaFile() override {
    JNIEnv* env = CurrentEnv();
    REPRISE_CHECK(env != nullptr, "a remote file was closed on a thread that is not the JVM's");
    const LocalFrame frame(env);
    const jthrowable pending = env->ExceptionOccurred();
    if (pending != nullptr) env->ExceptionClear();
    env->CallVoidMethod(file_.get(), Java().close_file);
    if (env->ExceptionCheck()) env->ExceptionClear();
    if (pending != nullptr) env->Throw(pending);
  }

  Result<std::optional<FileVersion>> AwaitOpen(int32_t milliseconds) override {
    jlong version[3] = {};
    bool is_open = false;
    RETURN_NOT_OK(Call(location_, [&](JNIEnv* env) {
      const jlongArray told = env->NewLongArray(std::size(version));
      if (told == nullptr) return;
      is_open = env->CallBooleanMethod(file_.get(), Java().await_open, milliseconds, told);
      if (!env->ExceptionCheck()) env->GetLongArrayRegion(told, 0, std::size(version), version);
    }));
    if (!is_open) return std::nullopt;
    return FileVersion{version[0], version[1], version[2]};
  }

  Result<int32_t> Start(std::span<const Piece> pieces) override {
    std::vector<jlong> offsets;
    std::vector<jint> lengths;
    std::vector<jlong> addresses;
    for (const Piece& piece : pieces) {
      offsets.push_back(piece.offset);
      lengths.push_back(piece.length);
      addresses.push_back(reinterpret_cast<jlong>(piece.to));
    }
    jint first = 0;
    RETURN_NOT_OK(Call(location_, [&](JNIEnv* env) {
      const auto longs = [env](const std::vector<jlong>& values) {
        return ToArray(env, values, &JNIEnv::NewLongArray, &JNIEnv::SetLongArrayRegion);
      };
      const jlongArray java_offsets = longs(offsets);
      const jlongArray java_addresses = longs(addresses);
      const jintArray java_lengths =
          ToArray(env, lengths, &JNIEnv::NewIntArray, &JNIEnv::SetIntArrayRegion);
      if (env->ExceptionCheck()) return;
      first = env->CallIntMethod(file_.get(), Java().start_pieces, java_offsets, java_lengths,
                                 java_addresses);
    }));
    return first;
  }

  Result<bool> Await(int32_t piece, int32_t milliseconds) override {
    bool is_read = false;
    RETURN_NOT_OK(Call(location_, [&](JNIEnv* env) {
      is_read = env->CallBooleanMethod(file_.get(), Java().await_piece, piece, milliseconds);
    }));
    return is_read;
  }

 private:
  const std::string location_;
  const GlobalRef file_;
};

class JavaFileStore final : public FileStore {
 public:
  explicit JavaFileStore(GlobalRef source) : source_(std::move(source)) {}

  Result<std::unique_ptr<StoredFile>> Open(const std::string& location, uint8_t* tail,
                                           int32_t tail_bytes, const FileVersion& known) override {
    GlobalRef file;
    RETURN_NOT_OK(Call(location, [&](JNIEnv* env) {
      const jobject opening = env->CallObjectMethod(
          source_.get(), Java().open_file, ToJava(env, location), reinterpret_cast<jlong>(tail),
          tail_bytes, static_cast<jlong>(known.client), static_cast<jlong>(known.length),
          static_cast<jlong>(known.modified));
      if (!env->ExceptionCheck()) file = GlobalRef(env, opening);
    }));
    return std::make_unique<JavaFile>(location, std::move(file));
  }

 private:
  const GlobalRef source_;
};

}  // namespace

std::unique_ptr<FileStore> MakeJavaFileStore(JNIEnv* env, jobject source) {
  return std::make_unique<JavaFileStore>(GlobalRef(env, source));
}

}  // namespace reprise
