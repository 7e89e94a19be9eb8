#include "jni/hadoop_store.h"

#include <mutex>

#include "base/check.h"
#include "base/first_line.h"
#include "dump/store.h"
#include "jni/java_classes.h"
#include "jni/java_text.h"

namespace reprise {

namespace {

// Static methods of reprise.bridge.HadoopFiles.
struct HadoopFiles {
  jclass java = nullptr;
  jmethodID message = nullptr;  // Throwable.getMessage
  jmethodID open = nullptr;
  jmethodID look = nullptr;
  jmethodID list = nullptr;
  jmethodID create_folders = nullptr;
  jmethodID read = nullptr;
  jmethodID create = nullptr;
  jmethodID append = nullptr;
  jmethodID close = nullptr;
  jmethodID rename_folder = nullptr;
  jmethodID remove_folder = nullptr;
};

HadoopFiles hadoop;

std::string TakeMessage(JNIEnv* env) {
  const jthrowable thrown = env->ExceptionOccurred();
  env->ExceptionClear();
  const auto text = static_cast<jstring>(env->CallObjectMethod(thrown, hadoop.message));
  if (env->ExceptionCheck()) env->ExceptionClear();
  const auto message = FromJava(env, text, "the message");
  env->DeleteLocalRef(thrown);
  // It may go on with a stack trace.
  return message.ok() ? std::string(FirstLine(*message)) : "the file system does not say why";
}

// Calls `function` with the environment of this thread; a Throwable becomes Status::IOError. An
// exception that is on its way to Java already is put aside meanwhile.
template <typename Function>
Status CallStore(const std::string& path, std::string_view action, Function&& function) {
  JNIEnv* env = CurrentEnv();
  REPRISE_CHECK(env != nullptr, "a dump was written on a thread that is not the JVM's");
  const jthrowable pending = env->ExceptionOccurred();
  if (pending != nullptr) env->ExceptionClear();
  Status status;
  {
    const LocalFrame frame(env);
    function(env);
    if (env->ExceptionCheck()) {
      status = Status::IOError(path, ": cannot ", action, ": ", TakeMessage(env));
    }
  }
  if (pending != nullptr) {
    env->Throw(pending);
    env->DeleteLocalRef(pending);
  }
  return status;
}

Status Append(const std::string& path, jobject file, std::string_view bytes, bool flushes) {
  return CallStore(path, "write", [&](JNIEnv* env) {
    const jobject buffer =
        env->NewDirectByteBuffer(const_cast<char*>(bytes.data()), static_cast<jlong>(bytes.size()));
    if (buffer == nullptr) return;
    env->CallStaticVoidMethod(hadoop.java, hadoop.append, file, buffer,
                              flushes ? JNI_TRUE : JNI_FALSE);
  });
}

Status CloseFile(const std::string& path, jobject file) {
  return CallStore(path, "close", [&](JNIEnv* env) {
    env->CallStaticVoidMethod(hadoop.java, hadoop.close, file);
  });
}

class GrowingHadoopFile : public GrowingFile {
 public:
  GrowingHadoopFile(std::string path, GlobalRef file)
      : path_(std::move(path)), file_(std::move(file)) {}

  // What is there stays there, as after a crash.
  ~GrowingHadoopFile() override {
    if (file_.get() != nullptr && CurrentEnv() != nullptr) (void)Close();
  }

  Status Append(std::string_view line) override {
    return reprise::Append(path_, file_.get(), line, true);
  }

  Status Close() override {
    const Status status = CloseFile(path_, file_.get());
    file_.reset();
    return status;
  }

 private:
  std::string path_;
  GlobalRef file_;
};

class HadoopStore : public DumpStore {
 public:
  Result<Entry> Look(const std::string& path) override {
    jint kind = 0;
    RETURN_NOT_OK(CallStore(path, "look at", [&](JNIEnv* env) {
      kind = env->CallStaticIntMethod(hadoop.java, hadoop.look, ToJava(env, path));
    }));
    return kind == 0 ? Entry::kAbsent : kind == 1 ? Entry::kFolder : Entry::kFile;
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    std::vector<std::string> names;
    Status unreadable;
    RETURN_NOT_OK(CallStore(folder, "list", [&](JNIEnv* env) {
      const auto found = static_cast<jobjectArray>(
          env->CallStaticObjectMethod(hadoop.java, hadoop.list, ToJava(env, folder)));
      const jsize count = found == nullptr ? 0 : env->GetArrayLength(found);
      for (jsize i = 0; i < count; ++i) {
        const auto name = static_cast<jstring>(env->GetObjectArrayElement(found, i));
        auto text = FromJava(env, name, "a file's name");
        unreadable &= text.status();
        if (text.ok()) names.push_back(*std::move(text));
        env->DeleteLocalRef(name);
      }
    }));
    RETURN_NOT_OK(unreadable);
    return names;
  }

  Status CreateFolders(const std::string& folder) override {
    return CallStore(folder, "create", [&](JNIEnv* env) {
      env->CallStaticVoidMethod(hadoop.java, hadoop.create_folders, ToJava(env, folder));
    });
  }

  // Hadoop cannot say who of two has made a folder. An attempt's is made by one process alone.
  Result<bool> CreateFolder(const std::string& folder) override {
    const std::lock_guard lock(creating_);
    ARROW_ASSIGN_OR_RAISE(const Entry entry, Look(folder));
    if (entry != Entry::kAbsent) return false;
    RETURN_NOT_OK(CreateFolders(folder));
    return true;
  }

  Result<std::string> Read(const std::string& file) override {
    Result<std::string> bytes = std::string();
    RETURN_NOT_OK(CallStore(file, "read", [&](JNIEnv* env) {
      const auto read = static_cast<jbyteArray>(
          env->CallStaticObjectMethod(hadoop.java, hadoop.read, ToJava(env, file)));
      if (read != nullptr) bytes = FromJava(env, read, file);
    }));
    return bytes;
  }

  Status WriteNew(const std::string& path, std::string_view bytes) override {
    ARROW_ASSIGN_OR_RAISE(const GlobalRef file, Create(path));
    const Status written = Append(path, file.get(), bytes, false);
    return written & CloseFile(path, file.get());
  }

  Result<std::unique_ptr<GrowingFile>> CreateGrowing(const std::string& path) override {
    ARROW_ASSIGN_OR_RAISE(GlobalRef file, Create(path));
    return std::make_unique<GrowingHadoopFile>(path, std::move(file));
  }

  Result<bool> RenameFolder(const std::string& from, const std::string& to) override {
    jboolean renamed = JNI_FALSE;
    RETURN_NOT_OK(CallStore(from, "rename", [&](JNIEnv* env) {
      renamed = env->CallStaticBooleanMethod(hadoop.java, hadoop.rename_folder, ToJava(env, from),
                                             ToJava(env, to));
    }));
    return renamed == JNI_TRUE;
  }

  Status RemoveFolder(const std::string& folder) override {
    return CallStore(folder, "remove", [&](JNIEnv* env) {
      env->CallStaticVoidMethod(hadoop.java, hadoop.remove_folder, ToJava(env, folder));
    });
  }

 private:
  static Result<GlobalRef> Create(const std::string& path) {
    GlobalRef file;
    RETURN_NOT_OK(CallStore(path, "create", [&](JNIEnv* env) {
      file = GlobalRef(env,
                       env->CallStaticObjectMethod(hadoop.java, hadoop.create, ToJava(env, path)));
    }));
    return file;
  }

  std::mutex creating_;
};

Result<std::shared_ptr<DumpStore>> OpenHadoopStore(const std::string& uri) {
  static const auto store = std::make_shared<HadoopStore>();
  const Status opened = CallStore(uri, "be opened", [&](JNIEnv* env) {
    env->CallStaticVoidMethod(hadoop.java, hadoop.open, ToJava(env, uri));
  });
  if (!opened.ok()) return Status::Invalid("dump path ", opened.message());
  return store;
}

}  // namespace

bool UseHadoopStores(JNIEnv* env) {
  const jclass local = env->FindClass("reprise/bridge/HadoopFiles");
  if (local == nullptr) return false;
  hadoop.java = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  const jclass throwable = env->FindClass("java/lang/Throwable");
  if (throwable == nullptr) return false;
  hadoop.message = env->GetMethodID(throwable, "getMessage", "()Ljava/lang/String;");
  env->DeleteLocalRef(throwable);
  const auto find = [&](const char* name, const char* signature) {
    return env->ExceptionCheck() ? nullptr : env->GetStaticMethodID(hadoop.java, name, signature);
  };
  hadoop.open = find("open", "(Ljava/lang/String;)V");
  hadoop.look = find("look", "(Ljava/lang/String;)I");
  hadoop.list = find("list", "(Ljava/lang/String;)[Ljava/lang/String;");
  hadoop.create_folders = find("createFolders", "(Ljava/lang/String;)V");
  hadoop.read = find("read", "(Ljava/lang/String;)[B");
  hadoop.create = find("create", "(Ljava/lang/String;)Ljava/io/OutputStream;");
  hadoop.append = find("append", "(Ljava/io/OutputStream;Ljava/nio/ByteBuffer;Z)V");
  hadoop.close = find("close", "(Ljava/io/OutputStream;)V");
  hadoop.rename_folder = find("renameFolder", "(Ljava/lang/String;Ljava/lang/String;)Z");
  hadoop.remove_folder = find("removeFolder", "(Ljava/lang/String;)V");
  if (env->ExceptionCheck()) return false;
  SetStoreOpener(OpenHadoopStore);
  return true;
}

}  // namespace reprise
