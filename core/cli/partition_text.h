// Numbers of partitions, for people and for settings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise {

/// "0, 4 to 6"
std::string PartitionText(const std::vector<int32_t>& partitions);
/// As spark.reprise.lore.idsToDump takes them: "0 4-7"; "*" for none.
std::string DumpPartitions(const std::vector<int32_t>& partitions);

}  // namespace reprise
