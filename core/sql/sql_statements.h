// A file of SQL statements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise {

/// The statements of `text`, which semicolons end, without those and without blank ones. Semicolons
/// in strings, quoted names and comments end nothing; comments stay where a statement has them.
std::vector<std::string> SqlStatements(std::string_view text);

}  // namespace reprise
