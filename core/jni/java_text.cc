#include "jni/java_text.h"

#include <limits>

#include "base/check.h"
#include "jni/java_errors.h"
#include "plan/utf16.h"

namespace reprise {

static_assert(sizeof(jchar) == sizeof(char16_t));

Result<std::string> FromJava(JNIEnv* env, jstring text, std::string_view what) {
  if (text == nullptr) return IllegalArgument(fmt::format("{} is null", what));
  const jsize size = env->GetStringLength(text);
  // Not GetStringUTFChars, whose encoding differs from UTF-8 in zeros and in what lies outside the
  // BMP.
  std::u16string units(static_cast<size_t>(size), u'\0');
  env->GetStringRegion(text, 0, size, reinterpret_cast<jchar*>(units.data()));
  return Utf16ToUtf8(units);
}

Result<std::string> FromJava(JNIEnv* env, jbyteArray bytes, std::string_view what) {
  if (bytes == nullptr) return IllegalArgument(fmt::format("{} is null", what));
  std::string out(static_cast<size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(out.size()),
                          reinterpret_cast<jbyte*>(out.data()));
  return out;
}

jstring ToJava(JNIEnv* env, std::string_view text) {
  const std::u16string units = Utf8ToUtf16(text);
  REPRISE_CHECK(units.size() <= static_cast<size_t>(std::numeric_limits<jsize>::max()),
                "a text of {} characters is too long for Java", units.size());
  return env->NewString(reinterpret_cast<const jchar*>(units.data()),
                        static_cast<jsize>(units.size()));
}

Result<jbyteArray> BytesToJava(JNIEnv* env, std::string_view bytes, std::string_view what) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<jsize>::max())) {
    return Status::CapacityError(what, " of ", bytes.size(),
                                 " bytes does not fit into a Java array");
  }
  const auto size = static_cast<jsize>(bytes.size());
  const jbyteArray array = env->NewByteArray(size);
  if (array == nullptr) return Status::OutOfMemory("the JVM has no memory for ", what);
  env->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte*>(bytes.data()));
  return array;
}

}  // namespace reprise
