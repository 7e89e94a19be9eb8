// The methods of reprise.bridge.Native by which rows of Spark's are checksummed for the ledger.
#include <jni.h>

#include <nlohmann/json.hpp>

#include "dump/ledger_entry.h"
#include "jni/java_errors.h"
#include "jni/java_text.h"
#include "task/handle_table.h"
#include "transitions/row_decoder.h"

namespace reprise {

namespace {

// The output of an operator that Spark runs, in one task.
struct ChecksummedRows {
  ChecksummedRows(int64_t lore_id, int column_count, std::unique_ptr<UnsafeRowDecoder> rows)
      : output(lore_id, column_count), decoder(std::move(rows)) {}
  ChecksummedOutput output;
  std::unique_ptr<UnsafeRowDecoder> decoder;
};

HandleTable<ChecksummedRows>& OpenChecksums() {
  // Never destroyed: tasks of a JVM that exits may still run.
  static auto* table = new HandleTable<ChecksummedRows>();
  return *table;
}

Status NoSuchChecksums(jlong handle) {
  return IllegalState(OpenChecksums().WasGiven(handle)
                          ? fmt::format("checksums {} are closed", handle)
                          : fmt::format("there are no checksums {}", handle));
}

Result<jlong> OpenRowChecksums(JNIEnv* env, jstring request_json) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, FromJava(env, request_json, "requestJson"));
  const auto request = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!request.is_object() || !request.contains("columns") || !request.contains("loreId") ||
      !request["loreId"].is_number_integer()) {
    return IllegalArgument("expected {\"loreId\":…,\"columns\":[FIELD…]}");
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<Field> fields, FieldsFromJson(request["columns"]));
  ARROW_ASSIGN_OR_RAISE(auto decoder, UnsafeRowDecoder::Make(fields, arrow::default_memory_pool()));
  return OpenChecksums().Add(std::make_shared<ChecksummedRows>(
      request["loreId"].get<int64_t>(), static_cast<int>(fields.size()), std::move(decoder)));
}

Result<bool> AddRows(jlong handle, jlong rows, jlong lengths, jint count) {
  const std::shared_ptr<ChecksummedRows> checksums = OpenChecksums().Find(handle);
  if (!checksums) return NoSuchChecksums(handle);
  const std::span<const int32_t> sizes(reinterpret_cast<const int32_t*>(lengths),
                                       static_cast<size_t>(count));
  int64_t bytes = 0;
  for (const int32_t size : sizes) bytes += size;
  ARROW_ASSIGN_OR_RAISE(
      const Batch batch,
      checksums->decoder->Decode(
          {reinterpret_cast<const uint8_t*>(rows), static_cast<size_t>(bytes)}, sizes));
  RETURN_NOT_OK(checksums->output.checksummer.Add(batch));
  return true;
}

Result<jstring> CloseRowChecksums(JNIEnv* env, jlong handle, jstring query, bool complete) {
  ARROW_ASSIGN_OR_RAISE(const std::string token, FromJava(env, query, "query"));
  const std::shared_ptr<ChecksummedRows> checksums = OpenChecksums().Take(handle);
  if (!checksums) return NoSuchChecksums(handle);
  checksums->output.complete = complete;
  return ToJava(env, LedgerEntry(token, checksums->output).dump());
}

}  // namespace
}  // namespace reprise

#define REPRISE_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_reprise_bridge_Native_##name

REPRISE_NATIVE(jlong, openRowChecksums)(JNIEnv* env, jclass, jstring request_json) {
  return reprise::Guard(env, jlong{0},
                        [&] { return reprise::OpenRowChecksums(env, request_json); });
}

REPRISE_NATIVE(void, addRows)
(JNIEnv* env, jclass, jlong checksums, jlong rows, jlong lengths, jint count) {
  reprise::Guard(env, false, [&] { return reprise::AddRows(checksums, rows, lengths, count); });
}

REPRISE_NATIVE(jstring, closeRowChecksums)
(JNIEnv* env, jclass, jlong checksums, jstring query, jboolean complete) {
  return reprise::Guard(env, jstring{}, [&] {
    return reprise::CloseRowChecksums(env, checksums, query, complete == JNI_TRUE);
  });
}
