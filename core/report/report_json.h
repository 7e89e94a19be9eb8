// A report as the page takes it; `reprise report --json` prints the same.
#pragma once

#include <nlohmann/json.hpp>

#include "report/report.h"

namespace reprise {

/// {"application","settings","executors","jobs","stages","queries","rdds","findings"}. Times are
/// milliseconds since 1970, durations milliseconds. Figures of operators that are 0 are left out.
nlohmann::json ReportJson(const Report& report);

}  // namespace reprise
