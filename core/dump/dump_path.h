// Names within a dump: where its folders and files lie.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

inline constexpr std::string_view kPlanMetaName = "plan.meta";
inline constexpr std::string_view kRddMetaName = "rdd.meta";
inline constexpr std::string_view kPartitionMetaName = "partition.meta";

/// What may lie beside the folder of a shrunk operator: a statement that does what it does, and a
/// unit test of it (shrink/shrink.h).
inline constexpr std::string_view kShrunkStatementName = "shrunk.sql";
inline constexpr std::string_view kShrunkUnitTestName = "shrunk_test.cc";

/// "loreId-10"
std::string OperatorFolder(int64_t lore_id);
/// "partition-3"
std::string PartitionFolder(int partition);
/// "partition-3.attempt-41": where an attempt writes until it commits, and stays if it never does.
std::string AttemptFolder(int partition, int64_t attempt);

/// ".plan.meta.crc": what Hadoop's client leaves beside a file that it has copied to this machine.
bool IsHadoopChecksum(std::string_view name);

/// The LORE id of a folder name, if it is one.
std::optional<int64_t> OperatorOfFolder(std::string_view name);

/// What a partition folder's name says. `attempt` is absent for a committed one.
struct PartitionFolderName {
  int partition = 0;
  std::optional<int64_t> attempt;
};
std::optional<PartitionFolderName> ParsePartitionFolder(std::string_view name);

}  // namespace reprise
