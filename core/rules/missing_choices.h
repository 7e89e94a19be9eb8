// The choices of spark.reprise.lore.idsToDump or spark.reprise.assert that no operator of a query
// has, or only operators that do not run or cannot be dumped.
//
// They are no error: the setting holds for every query of the session, and adaptive execution may
// still add operators. The plug-in keeps what is missing in every plan of a query, and warns at the
// query's end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rules/lore_selection.h"

namespace reprise {

struct Planning;
struct PlanOperator;

struct MissingChoice {
  std::string choice;    ///< as the user wrote it; behind the setting's name where that is another
  std::string warning;   ///< one line, which names operators that are near
  bool refused = false;  ///< the query has the operator, and it cannot be
  bool did_not_run = false;  ///< the query has the operator, and nothing else is known
  /// Not missing where one of these operators, which the plan at hand has, does run.
  std::vector<int64_t> unless = {};
};

/// What operators are chosen for.
struct ChoicePurpose {
  std::string_view key;   ///< the setting
  std::string_view done;  ///< what becomes of a chosen operator: "dumped"
  bool (*is_done)(const PlanOperator&);
  std::map<int64_t, std::string> refused;  ///< why operators that the query has cannot be, by id
  /// Whether one for which it is done may turn out not to run: adaptive execution makes an exchange
  /// ready to run before it finds that it has an equal one.
  bool may_not_run = false;
};

/// The choices that nothing in the plan at hand fulfils, and those that what it has may yet fail.
std::vector<MissingChoice> MissingChoices(const Planning& planning,
                                          const std::vector<LoreChoice>& choices,
                                          const ChoicePurpose& purpose);

}  // namespace reprise
