// Small dumps for tests: a folder of its own for each test, and batches of every type.
#pragma once

#include <arrow/record_batch.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/batch.h"
#include "operators/operator.h"
#include "plan/spec.h"

namespace reprise {

/// A new empty folder, removed with everything in it when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string path() const { return path_.string(); }
  /// The path of `name` within, for the dump that is not there yet.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// What most tests record.
inline const std::vector<Field> kLongAndText = {{"a", {TypeKind::kLong}},
                                                {"b", {TypeKind::kString}}};

/// One column of every type that the core runs, named after it.
std::vector<Field> EveryType();

/// `rows` rows of EveryType(): nulls, NaN, -0.0, infinities, extremes, empty strings; different for
/// every `seed`.
std::shared_ptr<arrow::RecordBatch> EveryTypeBatch(int64_t rows, int seed = 0);

/// A batch from JSON rows: BatchOf(fields, "[[1,\"a\"],[null,\"b\"]]").
std::shared_ptr<arrow::RecordBatch> BatchOf(const std::vector<Field>& fields,
                                            const std::string& rows);

/// An operator that hands its input on: kind "pass", LORE id `lore_id`.
OperatorSpec PassSpec(std::vector<Field> fields, int64_t lore_id = 5, int input_count = 1);

/// The "capture" member and the BeginDump request for `spec`.
nlohmann::json CaptureJson(const std::string& path, int64_t lore_id = 5,
                           const std::string& query = "query-1");
nlohmann::json BeginRequest(const OperatorSpec& spec, const nlohmann::json& capture,
                            int partition_count = 4);

/// Records `batches` as every input and as the output of `spec`, to their end, and commits.
Status RecordPass(const OperatorSpec& spec, const nlohmann::json& capture,
                  const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                  int partition = 0, int64_t attempt = 41);

/// Overwrites one byte of a file, cuts it, reads it whole: the ways in which tests damage dumps.
void FlipByte(const std::string& path, size_t offset, uint8_t mask = 0x01);
void CutFile(const std::string& path, size_t size);
std::string Contents(const std::string& path);

}  // namespace reprise
