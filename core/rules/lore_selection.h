// The operators and partitions that a user has chosen for dumping.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// The partitions of one operator; nothing: all.
using PartitionChoice = std::optional<std::vector<int32_t>>;

/// LORE id to partitions.
using LoreSelection = std::map<int64_t, PartitionChoice>;

/// Parses spark.reprise.lore.idsToDump: ids separated by commas, each with its partitions in
/// brackets.
///
///   selection  = id "[" ( "*" | part { " " part } ) "]" { "," … }        part = number | first "-"
///   end
///
/// "1[*], 2[0 4-6 7]" is all of 1, and 0, 4, 5, 7 of 2: a range excludes its end. An empty text
/// selects nothing. Missing brackets, empty ranges, "*" beside other parts, and an id or a
/// partition that occurs twice are Status::Invalid; the message shows the text with a caret under
/// the character.
Result<LoreSelection> ParseLoreSelection(std::string_view text);

}  // namespace reprise
