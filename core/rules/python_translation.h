// What the rules of Python's functions share: which columns are sent, in which batches, and how
// results are read.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "rules/operator_table.h"
#include "rules/operator_translation.h"

namespace reprise {

/// What sends rows to Python.
inline constexpr std::string_view kToPython = "RepriseToPython";

inline constexpr const char* kLargeTypes =
    "spark.sql.execution.arrow.useLargeVarTypes is not supported natively";
bool HasLargeTypes(const Config& config);

// A fragment runs on its task's thread.
inline constexpr const char* kOtherThread =
    "Spark before 4.0 writes to Python's workers on a thread of its own";

/// Empty: the columns travel to Python, or back.
std::string WhyNotForeign(std::span<const Field> columns, std::string_view what);

/// The same of those of the columns that are sent.
std::string WhyNotSent(std::span<const Field> columns, const std::vector<int>& sent,
                       std::string_view what);

/// Empty: the node's functions are of one of the kinds (PythonEvalType). Before Spark 4.1 those of
/// a group were of one kind, and nodes did not name it.
std::string WhyNotOfKinds(const PlanNode& node, std::span<const int64_t> kinds);

/// Columns that are there anyway, what is computed for arguments behind them, and which of all are
/// arguments.
struct PythonArguments {
  std::vector<Field> columns;
  nlohmann::json expressions = nlohmann::json::array();  ///< one a column
  std::vector<int> sent;
  std::vector<std::vector<int>> places;  ///< of each function's arguments among those sent
};

/// The columns of a node's input, and no arguments yet.
PythonArguments ArgumentsBehind(const std::vector<Field>& input);

/// The arguments of a Python function more, those of the innermost where functions are chained.
/// `input_count`: so many of the columns are the input's, and serve as they are. An argument
/// without a native form is a guest, or refused.
void AddArguments(const PlanObject& function, size_t input_count, OperatorTranslation* translation,
                  PythonArguments* arguments);

/// Where batches of rows end, of which the columns `sent` are sent.
nlohmann::json BatchesOf(const Config& config, const std::vector<int>& sent);

/// Puts "python_groups" behind what is sent, the columns `sent` of `columns`: rows that agree in
/// `keys` are a group.
void AddGroups(const OperatorQuestion& question, std::vector<Field> columns, std::vector<int> sent,
               nlohmann::json keys, PythonExchange* python);

/// How the results are read, behind `kept` of the columns that were put aside.
OperatorSpec ReadFromPython(const std::vector<Field>& output, size_t kept);

/// The operator reads the one leaf of the results; its child's columns are those of `union_of`.
Judgement ReadingResults(Judgement judgement, PythonExchange python);

OperatorSpec ProjectOf(std::vector<Field> input, std::vector<Field> output,
                       nlohmann::json expressions);

}  // namespace reprise
