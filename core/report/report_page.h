// A report as one HTML page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"

namespace reprise {

/// The page with the data of ReportJson in it, compressed: it opens alone from disk and loads
/// nothing. Text that looks like markup stays text.
Result<std::string> ReportPage(const nlohmann::json& data);

/// The same page as an application serves it: without data, which it asks for at "data" below it,
/// again and again while the application runs.
std::string ServedReportPage();

}  // namespace reprise
