// What a report says is wrong, what it costs, and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise {

struct Report;

struct Finding {
  std::string_view kind;  ///< of kFindingKinds: "skew"
  std::string title;      ///< "Stage 12 waits for one task of 200"
  double seconds = 0;     ///< of the application's time, estimated
  bool always = false;    ///< told however little time it costs
  std::string evidence;   ///< the figures that show it
  std::string remedy;     ///< what to do, in words
  std::string paste;      ///< the one setting or change: "spark.sql.shuffle.partitions=400"
  int64_t stage = -1;     ///< where it shows; -1: in no one stage
  int64_t query = -1;     ///< number of the SQL execution; -1: in none
  int64_t lore_id = 0;    ///< of its operator; 0: of none
};
using Findings = std::vector<Finding>;

/// A kind of finding, and what looks for it. What costs less than half a second is not told.
struct FindingKind {
  const char* name;   ///< "skew"
  const char* tells;  ///< one line, for the reference
  void (*find)(const Report& report, Findings* findings);
};
extern const std::vector<FindingKind> kFindingKinds;

/// Of all kinds, the one that costs most first.
Findings FindAll(const Report& report);

}  // namespace reprise
