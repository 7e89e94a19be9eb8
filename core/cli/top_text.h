// A running application on one screen of a terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace reprise {

/// Of ReportJson's data: what runs now, how far it is, which operators take the time, and what is
/// wrong. Lines are cut to `columns`; there are at most `lines` of them.
std::string TopText(const nlohmann::json& data, int lines, int columns);

}  // namespace reprise
