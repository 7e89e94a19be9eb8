#include "replay/failed_attempt.h"

namespace reprise {

std::string_view Name(FailedAgain again) {
  switch (again) {
    case FailedAgain::kInSameWay:
      return "in the same way";
    case FailedAgain::kInAnotherWay:
      return "in another way";
    case FailedAgain::kSomehow:
      return "somehow";
    case FailedAgain::kNot:
      return "not";
  }
  return "";
}

FailedAgain CompareFailures(const RaisedError& recorded, const Status& raised) {
  if (raised.ok()) return FailedAgain::kNot;
  if (recorded.empty()) return FailedAgain::kSomehow;
  const bool is_same = recorded.IsAs(RaisedErrorOf(raised));
  return is_same ? FailedAgain::kInSameWay : FailedAgain::kInAnotherWay;
}

}  // namespace reprise
