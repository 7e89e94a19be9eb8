// What plan.meta and rdd.meta hold. Both are sealed JSON files (sealed_json.h); the format is
// specified in docs/internals/dump-format.md.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// loreId-N/plan.meta: the operator and the circumstances of its capture.
struct PlanMeta {
  OperatorSpec spec;
  std::string query;  ///< token of the query that was captured
  /// The LORE ids of the operators that gave the inputs, one each; 0: not known. Empty in dumps
  /// that do not say it.
  std::vector<int64_t> children;
  int partition_count = 0;                              ///< of the operator: one task each
  std::optional<std::vector<int>> partitions_captured;  ///< ascending; absent: all
  bool output_recorded = false;
  /// Each stream has partitions and commits of its own: of an operator that puts partitions
  /// together or divides them, as an exchange does. Else one task reads and writes partition P of
  /// every stream, and they are committed together.
  bool streams_apart = false;
  nlohmann::json conf = nlohmann::json::object();      ///< the configuration that matters
  nlohmann::json versions = nlohmann::json::object();  ///< {"spark":…,"reprise":…}
  /// Spark's operator in portable form: a plan JSON document of one node; null where the dump has
  /// none.
  nlohmann::json spark;
  /// Names of columns whose values are masked where they are recorded:
  /// {"o_comment":"hash"|"null"|"shuffle"}. The operator need not have one of them.
  nlohmann::json masked = nlohmann::json::object();

  bool Captures(int partition) const;
  /// A column that was recorded has masked values, so that the output is another one than that of
  /// the recorded input.
  bool HasMaskedColumn() const;
};

/// input-k/rdd.meta and output/rdd.meta: the shape of one stream of the operator.
struct RddMeta {
  int64_t lore_id = 0;
  int stream = 0;           ///< number of the input; kOutputStream: the output
  int partitions = 0;       ///< of the RDD, captured or not
  bool replicated = false;  ///< every task reads the whole input (a broadcast)
  std::vector<Field> schema;

  /// The one partition is recorded once for all tasks. Older dumps hold a replicated input once for
  /// each partition.
  bool is_shared() const { return replicated && partitions == 1; }
};

/// The stream number of an operator's output.
inline constexpr int kOutputStream = -1;

/// "input-0", "input-1" …, "output": the folder of a stream, and its name in errors.
std::string StreamName(int stream);

/// The member "stream" of a meta: an input's number, or kOutputStream.
Result<int> StreamFromJson(const nlohmann::json& meta, const std::string& place);

/// A JSON list of partition numbers, ascending.
Result<std::vector<int>> PartitionListFromJson(const nlohmann::json& list,
                                               const std::string& place);

/// A JSON list of the LORE ids of an operator's inputs.
Result<std::vector<int64_t>> ChildrenFromJson(const nlohmann::json& list, const std::string& place);

Result<std::string> ToText(const PlanMeta& meta);
Result<std::string> ToText(const RddMeta& meta);

/// The query of a plan.meta with this content, whose checksum is verified.
Result<std::string> QueryOfPlanMeta(std::string_view text, const std::string& path);

/// Reads `path` and verifies its checksum. Errors name the file: missing, not a dump's, of a newer
/// format version, damaged, or lacking a member.
Result<PlanMeta> ReadPlanMeta(const std::string& path);
Result<RddMeta> ReadRddMeta(const std::string& path);

}  // namespace reprise
