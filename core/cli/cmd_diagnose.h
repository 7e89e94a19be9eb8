// reprise diagnose: from a query whose answer is not Spark's to the rows that show it.
#pragma once

#include "cli/subcommand.h"

namespace reprise {

extern const Subcommand kDiagnose;

}  // namespace reprise
