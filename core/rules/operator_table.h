// Which of Spark's operators run natively: the rows of the vocabulary, which drive planning,
// explain and the reference page alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "plan/plan.h"
#include "plan/spec.h"
#include "rules/expression_translation.h"
#include "vocabulary/kinds.h"

namespace reprise {

/// A join that keeps rows of its broadcast side, as operators that run in several tasks.
struct JoinParts {
  std::optional<OperatorSpec> pairs;  ///< the rows that tell themselves whether they leave; or none
  OperatorSpec matches;               ///< kind matched_rows
  OperatorSpec unmatched;             ///< kind unmatched_rows
  size_t streamed = 0;                ///< the child that is no broadcast
};

/// A projection above a native operator, of which Spark evaluates some expressions: with it the
/// operator stands for one node of Spark's.
struct ResultProjection {
  std::vector<Guest> guests;
  nlohmann::json arguments;   ///< of the project, over the operator's output and the guests
  std::vector<Field> output;  ///< of Spark's node
  std::string arguments_text;
};

/// How rows go to Python's workers and their results come back.
struct PythonExchange {
  std::vector<OperatorSpec> before;  ///< what runs over the child, the one that reads it first
  std::vector<int> sent;             ///< columns of the last of them
  bool as_struct = false;            ///< sent as the fields of one column
  /// Of functions whose arguments are columns: which of those that are sent each gets; over a
  /// window with frames, before its arguments, those in which each row's frame begins and ends.
  std::vector<std::vector<int>> places;
  /// Where rows go group by group: the column that says which batch is a group's last; below 0:
  /// they do not.
  int group_end = -1;
  /// There is one result for a group, and beside it stands the group's first row.
  bool per_group = false;
  OperatorSpec results;             ///< the leaf that reads what comes back
  std::vector<OperatorSpec> after;  ///< what runs over it, the one that reads it first
};

/// An aggregate function that Spark evaluates for a native aggregate.
struct GuestFunction {
  Guest guest;             ///< reads columns of the input
  size_t index = 0;        ///< among the functions of Spark's node
  bool reads_rows = true;  ///< else it merges buffers
  bool in_unsafe = false;  ///< Spark keeps the node's buffers in UnsafeRows
};

/// A value in what people see of a scan, which the plug-in redacts and cuts short as Spark does it
/// in the text of its own scans.
struct ShownValue {
  std::string before;  ///< what stands before it: ", columns=2, pruning="
  std::string text;
};

/// What a native operator needs beside its names and ids.
struct NativeOperator {
  /// Where several rules have the class, the kind of the one that it is native by.
  std::string_view kind;
  std::vector<ShownValue> shown_values;  ///< for people, before arguments_text
  std::string arguments_text;            ///< for people: "(l_commitdate#29 < l_receiptdate#30)"
  nlohmann::json arguments = nlohmann::json::object();  ///< OperatorSpec.arguments
  std::vector<Field> output;
  std::vector<std::vector<Field>> inputs;
  bool reads_files = false;  ///< reads the file splits of the scan that it replaces, or makes rows
  /// Of a scan of Spark's: what the core reads of its splits may be other rows, or none: each
  /// engine leaves out row groups for a filter in its own way, and a replay has local files only.
  bool replays_unlike_spark = false;
  std::string_view read_kind;  ///< of an exchange: the leaf that reads what it has written
  std::string_view read_name;
  std::optional<OperatorSpec> sample;  ///< of an exchange by ranges: the projection to its keys
  /// Of an exchange: which rows a partition gets depends on the order in which they come.
  bool order_sensitive = false;
  /// Of an exchange: its specification has, behind the columns of its rows, the one that says to
  /// which partition each goes. Only dumps see it.
  bool tells_partitions = false;
  /// Where Spark puts the partitions of the children together: their columns; then `inputs` has the
  /// one leaf that reads all of them.
  std::vector<std::vector<Field>> union_of;
  /// The partitions of the two children are paired, each with each: Spark reads them by leaves.
  bool pairs_partitions = false;
  /// Of an operator whose rows go through Python's workers; then `union_of` has its child's
  /// columns.
  std::optional<PythonExchange> python;
  std::optional<JoinParts> parts;  ///< of a join that keeps rows of its broadcast side
  /// What it gives has the order that Spark's node promises.
  bool keeps_order = true;
  /// Of an operator that runs on each partition first: OperatorSpec.arguments there; else null.
  nlohmann::json local_arguments;
  /// What Spark evaluates for it, by input: columns of that one of `inputs` behind the child's.
  std::vector<std::vector<Guest>> guests;
  /// Of one input: the condition of rows for which they are evaluated, over the child's columns;
  /// null: all.
  nlohmann::json guest_condition;
  std::vector<GuestFunction> guest_functions;
  /// Of a join: its condition, which Spark evaluates for pairs of rows. Reads columns of the
  /// children, one child's after the other's.
  std::optional<Guest> guest_condition_of_pairs;

  /// Where Spark evaluates some of its results, which then are no part of `output`.
  std::optional<ResultProjection> results;

  /// Rows of its input go to Spark: not where all that it evaluates is tried first.
  bool HasRowsForGuests() const;
  /// What Spark evaluates below it, in it and above it.
  std::vector<const Guest*> AllGuests() const;
  /// Why it has guests: "expression RLike: it is not supported natively".
  std::vector<std::string> GuestReasons() const;
};

/// The leaves that read an exchange.
inline constexpr std::string_view kShuffleReadName = "RepriseShuffleRead";
inline constexpr std::string_view kBroadcastReadName = "RepriseBroadcastRead";

/// The judgement of one operator alone: native, or the reasons why not; at least one.
struct Judgement {
  std::optional<NativeOperator> native;
  std::vector<std::string> reasons;  ///< of the operator itself
  std::vector<Refusal> refusals;     ///< of its expressions
  std::vector<std::string>
      accepted;  ///< its translated top-level expressions: "<LessThan> (a#1 < b#2)"

  /// The reasons of the operator, then one for each refused expression: "expression Cast: …".
  std::vector<std::string> AllReasons() const;
};

/// What a rule looks at.
struct OperatorQuestion {
  const PlanNode& node;
  const Config& config;
  /// An operator above, in the same stage, asks for the name or place of the file being read.
  bool input_file_wanted = false;
  std::string_view spark_version = {};  ///< "4.1.3"
  std::string_view scala_version = {};  ///< "2.13.17"

  bool is_before_spark_4() const { return IsBeforeSpark4(spark_version); }
};

struct OperatorRule {
  std::string_view class_name;  ///< Spark's, full
  std::string_view kind;        ///< of the vocabulary
  std::string_view name;        ///< as users see it
  Judgement (*judge)(const OperatorQuestion& question);
  std::string_view limits;  ///< for the reference page
};

std::span<const OperatorRule> OperatorTable();

/// The rule of a class, of several the first, or nullptr.
const OperatorRule* FindOperatorRule(std::string_view class_name);

/// The rule by which an operator of the class is native.
const OperatorRule& RuleOf(std::string_view class_name, const NativeOperator& native);

/// An operator of Spark's without a rule, and why it has none.
struct OperatorThatStays {
  std::string_view class_name;  ///< Spark's, full
  std::string_view reason;
};

std::span<const OperatorThatStays> OperatorsThatStay();

/// Judges one operator by the table. A class that the table does not have is refused with that
/// reason.
Judgement Judge(const OperatorQuestion& question);

/// A refusal of the whole operator.
Judgement Refused(std::string reason);

/// The rules, one file each.
#define OPERATOR(spark_class, kind, native_name, rule, limits) \
  Judgement rule(const OperatorQuestion& question);
#include "vocabulary/operators.def"

}  // namespace reprise
