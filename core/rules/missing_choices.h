// The choices of spark.reprise.lore.idsToDump that no operator of a query has, or only operators
// that do not run.
//
// They are no error: the setting holds for every query of the session, and adaptive execution may
// still add operators. The plug-in keeps what is missing in every plan of a query, and warns at the
// query's end.
#pragma once

#include <string>
#include <vector>

#include "rules/lore_selection.h"

namespace reprise {

struct Planning;

struct MissingChoice {
  std::string choice;   ///< as the user wrote it
  std::string warning;  ///< one line, which names operators that are near
};

/// The choices that nothing in the plan at hand is captured for.
std::vector<MissingChoice> MissingChoices(const Planning& planning, const LoreSelection& selection);

}  // namespace reprise
