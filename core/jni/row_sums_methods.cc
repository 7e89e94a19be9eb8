// The methods of reprise.bridge.Native by which rows of Spark's are summed up for the ledger.
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
struct SummedRows {
  SummedRows(int64_t lore_id, int column_count, std::unique_ptr<UnsafeRowDecoder> rows)
      : output(lore_id, column_count), decoder(std::move(rows)) {}
  SummedOutput output;
  std::unique_ptr<UnsafeRowDecoder> decoder;
};

HandleTable<SummedRows>& OpenSums() {
  // Never destroyed: tasks of a JVM that exits may still run.
  static auto* table = new HandleTable<SummedRows>();
  return *table;
}

Status NoSuchSums(jlong handle) {
  return IllegalState(OpenSums().WasGiven(handle) ? fmt::format("sums {} are closed", handle)
                                                  : fmt::format("there are no sums {}", handle));
}

Result<jlong> OpenRowSums(JNIEnv* env, jstring request_json) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, FromJava(env, request_json, "requestJson"));
  const auto request = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!request.is_object() || !request.contains("columns") || !request.contains("loreId") ||
      !request["loreId"].is_number_integer()) {
    return IllegalArgument("expected {\"loreId\":…,\"columns\":[FIELD…]}");
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<Field> fields, FieldsFromJson(request["columns"]));
  ARROW_ASSIGN_OR_RAISE(auto decoder, UnsafeRowDecoder::Make(fields, arrow::default_memory_pool()));
  return OpenSums().Add(std::make_shared<SummedRows>(
      request["loreId"].get<int64_t>(), static_cast<int>(fields.size()), std::move(decoder)));
}

Result<bool> AddRows(jlong handle, jlong rows, jlong lengths, jint count) {
  const std::shared_ptr<SummedRows> sums = OpenSums().Find(handle);
  if (!sums) return NoSuchSums(handle);
  const std::span<const int32_t> sizes(reinterpret_cast<const int32_t*>(lengths),
                                       static_cast<size_t>(count));
  int64_t bytes = 0;
  for (const int32_t size : sizes) bytes += size;
  ARROW_ASSIGN_OR_RAISE(
      const Batch batch,
      sums->decoder->Decode({reinterpret_cast<const uint8_t*>(rows), static_cast<size_t>(bytes)},
                            sizes));
  RETURN_NOT_OK(sums->output.summer.Add(batch));
  return true;
}

Result<jstring> CloseRowSums(JNIEnv* env, jlong handle, jstring query, bool complete) {
  ARROW_ASSIGN_OR_RAISE(const std::string token, FromJava(env, query, "query"));
  const std::shared_ptr<SummedRows> sums = OpenSums().Take(handle);
  if (!sums) return NoSuchSums(handle);
  sums->output.complete = complete;
  return ToJava(env, LedgerEntry(token, sums->output).dump());
}

}  // namespace
}  // namespace reprise

#define REPRISE_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_reprise_bridge_Native_##name

REPRISE_NATIVE(jlong, openRowSums)(JNIEnv* env, jclass, jstring request_json) {
  return reprise::Guard(env, jlong{0}, [&] { return reprise::OpenRowSums(env, request_json); });
}

REPRISE_NATIVE(void, addRows)
(JNIEnv* env, jclass, jlong sums, jlong rows, jlong lengths, jint count) {
  reprise::Guard(env, false, [&] { return reprise::AddRows(sums, rows, lengths, count); });
}

REPRISE_NATIVE(jstring, closeRowSums)
(JNIEnv* env, jclass, jlong sums, jstring query, jboolean complete) {
  return reprise::Guard(env, jstring{}, [&] {
    return reprise::CloseRowSums(env, sums, query, complete == JNI_TRUE);
  });
}
