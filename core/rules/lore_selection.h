// The operators and partitions that a user has chosen for dumping.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace reprise {

/// The partitions of one operator; nothing: all.
using PartitionChoice = std::optional<std::vector<int32_t>>;

/// An operator chosen by one of its three names, or several at once; the other members are empty.
struct LoreChoice {
  int64_t lore_id = 0;
  bool with_all_below = false;  ///< of an id: "5+"
  int64_t last = 0;             ///< then: the ids up to this one, once LoreSelection::Resolve
  std::string name;             ///< "Filter": all of that name
  bool is_all = false;          ///< "*"
  bool is_stage = false;        ///< of an id: "stage:5", the stage that 5 runs in
  bool is_query = false;        ///< "query": each stage of it
  std::set<int64_t> members;    ///< of these two: operators, once LoreSelection::ResolveStages
  std::string occurrence;       ///< "Filter#0"
  std::string fingerprint;      ///< 16 hexadecimal digits; every operator that has it
  PartitionChoice partitions;

  bool Names(int64_t id, std::string_view its_occurrence, std::string_view its_fingerprint) const;
  /// It does not insist on each operator that it names.
  bool is_group() const { return with_all_below || is_all || is_of_stages() || !name.empty(); }
  /// What enters and leaves its operators' fragments is to be dumped, not what passes between them.
  bool is_of_stages() const { return is_stage || is_query; }
  /// What the user wrote, without the partitions.
  std::string Text() const;
};

struct LoreSelection {
  std::vector<LoreChoice> choices;

  bool empty() const { return choices.empty(); }
  /// The partitions of an operator that are to be dumped: all that its names choose together.
  /// Nothing: the operator is not chosen.
  std::optional<PartitionChoice> Find(int64_t lore_id, std::string_view occurrence,
                                      std::string_view fingerprint) const;

  /// Finds what is below the operators that were chosen with it. `last_of`: the last id below an
  /// operator, by its id; 0 where there is none.
  void Resolve(const std::function<int64_t(int64_t)>& last_of);

  /// Finds the operators of the stages that were chosen. `stage_of`: those of the stage of an
  /// operator, by its id; of all stages where that is 0.
  void ResolveStages(const std::function<std::set<int64_t>(int64_t)>& stage_of);

  /// Whether it is chosen by its stage alone.
  bool IsOfStagesAlone(int64_t lore_id, std::string_view occurrence,
                       std::string_view fingerprint) const;
};

/// Parses spark.reprise.lore.idsToDump: operators separated by commas, each with its partitions in
/// brackets.
///
///   selection = operator "[" ( "*" | part { " " part } ) "]" { "," … }
///   operator  = id [ "+" ] | name [ "#" occurrence ] | fingerprint | "*" | "stage:" id | "query"
///   part      = number | first "-" end
///
/// "1[*], Filter#0[0 4-6 7]" is all of 1, and 0, 4, 5, 7 of the first filter: a range excludes its
/// end. "5+" is 5 and all below it, "Filter" every filter, "*" everything, "stage:5" the stage that
/// 5 runs in, "query" each stage; these may stand without brackets, for all partitions. "[]" and
/// "[\*]", as pages show it, are "[*]". Sixteen hexadecimal digits are a fingerprint. An empty text
/// selects nothing. Missing brackets, empty ranges, "*" beside other parts, and an operator or a
/// partition that is named twice are Status::Invalid; the message shows the text with a caret under
/// the character.
Result<LoreSelection> ParseLoreSelection(std::string_view text);

/// Reads the one operator that begins at byte `*at` of `text`, the value of the setting `key`, and
/// moves `*at` behind it.
Result<LoreChoice> ParseLoreChoice(std::string_view key, std::string_view text, size_t* at);

}  // namespace reprise
