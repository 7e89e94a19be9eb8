#include "scan/column_range.h"

#include "base/check.h"

namespace reprise {

int CompareRangeValues(const RangeValue& a, const RangeValue& b) {
  REPRISE_CHECK(a.index() == b.index(), "values of different types are compared");
  return a < b ? -1 : b < a ? 1 : 0;
}

}  // namespace reprise
