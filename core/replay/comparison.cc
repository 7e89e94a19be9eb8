#include "replay/comparison.h"

namespace reprise {

std::string_view Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEqual:
      return "equal";
    case Verdict::kOtherOrder:
      return "equal in another order";
    case Verdict::kDifferent:
      return "different";
    case Verdict::kNotRecorded:
      return "not recorded";
  }
  return "";
}

Comparison Compare(const PartitionMeta& recorded, const StreamDigest& replayed, bool ordered) {
  Comparison comparison;
  comparison.ordered = ordered;
  comparison.replayed = replayed;
  if (!recorded.complete()) return comparison;
  comparison.recorded = recorded.digest;
  comparison.prefix = recorded.end == StreamEnd::kStopped;
  if (replayed == recorded.digest) {
    comparison.verdict = Verdict::kEqual;
  } else if (!comparison.prefix && replayed.SameRows(recorded.digest)) {
    comparison.verdict = Verdict::kOtherOrder;
  } else {
    comparison.verdict = Verdict::kDifferent;
  }
  if (comparison.verdict != Verdict::kDifferent) return comparison;
  for (size_t i = 0; i < replayed.columns.size() && i < recorded.digest.columns.size(); ++i) {
    if (replayed.columns[i] != recorded.digest.columns[i]) {
      comparison.columns.push_back(static_cast<int>(i));
    }
  }
  return comparison;
}

std::vector<std::string> ColumnNames(const std::vector<int>& columns,
                                     const std::vector<Field>& fields) {
  std::vector<std::string> names;
  for (const int column : columns) names.push_back(fields[column].name);
  return names;
}

}  // namespace reprise
