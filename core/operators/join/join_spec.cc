#include "operators/join/join_spec.h"

#include <algorithm>

#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

struct TypeName {
  std::string_view name;
  JoinType type;
};

constexpr TypeName kJoinTypeNames[] = {
    {"inner", JoinType::kInner},         {"left", JoinType::kLeft}, {"right", JoinType::kRight},
    {"full", JoinType::kFull},           {"semi", JoinType::kSemi}, {"anti", JoinType::kAnti},
    {"existence", JoinType::kExistence},
};

Result<JoinType> TypeMember(const nlohmann::json& arguments) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(arguments, "joinType"));
  const auto* found = std::ranges::find(kJoinTypeNames, name, &TypeName::name);
  if (found == std::end(kJoinTypeNames)) {
    return Status::Invalid("\"joinType\" is \"", name, "\", which is no join type");
  }
  return found->type;
}

Status ReadKeys(const nlohmann::json& arguments, JoinSpec* join) {
  ARROW_ASSIGN_OR_RAISE(join->left_keys, ExpressionsMember(arguments, "leftKeys"));
  ARROW_ASSIGN_OR_RAISE(join->right_keys, ExpressionsMember(arguments, "rightKeys"));
  if (join->left_keys.empty() || join->left_keys.size() != join->right_keys.size()) {
    return Status::Invalid("\"leftKeys\" has ", join->left_keys.size(), " keys and \"rightKeys\" ",
                           join->right_keys.size(), "; expected as many, at least one");
  }
  for (size_t i = 0; i < join->left_keys.size(); ++i) {
    const DataType& left = join->left_keys[i].type;
    const DataType& right = join->right_keys[i].type;
    if (left != right) {
      return Status::Invalid("key ", i, " is ", left.ToString(), " on the left and ",
                             right.ToString(), " on the right");
    }
    if (StoredType(left).is(TypeKind::kOther) || left.is(TypeKind::kNull)) {
      return Status::NotImplemented("key ", i, " is ", left.ToString());
    }
  }
  return Status::OK();
}

Status CheckJoinOutput(const OperatorSpec& spec, const JoinSpec& join) {
  std::vector<DataType> expected;
  const auto add_side = [&](size_t side) {
    const std::vector<Field>& fields = spec.inputs[side];
    for (size_t i = 0; i + join.dropped[side] < fields.size(); ++i) {
      expected.push_back(fields[i].type);
    }
  };
  add_side(0);
  if (join.type == JoinType::kExistence) expected.push_back({TypeKind::kBoolean, 0, 0, {}});
  if (!join.is_membership()) add_side(1);
  if (expected.size() != spec.output.size()) {
    return Status::Invalid("the join yields ", expected.size(), " columns, but its output has ",
                           spec.output.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (HaveSameForm(expected[i], spec.output[i].type)) continue;
    return Status::Invalid("output column ", i, " (", spec.output[i].name, ") is ",
                           spec.output[i].type.ToString(), ", the join yields ",
                           expected[i].ToString());
  }
  return Status::OK();
}

// Dumps of before have no such member.
Status ReadDropped(const OperatorSpec& spec, JoinSpec* join) {
  if (!spec.arguments.contains("dropped")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto* counts, ArrayMember(spec.arguments, "dropped"));
  if (counts->size() != 2) {
    return Status::Invalid("\"dropped\" has ", counts->size(), " numbers, expected one a side");
  }
  for (size_t side = 0; side < 2; ++side) {
    const nlohmann::json& count = (*counts)[side];
    if (!count.is_number_integer() || count < 0 || count > spec.inputs[side].size()) {
      return Status::Invalid("\"dropped\" is ", count.dump(), " for input ", side,
                             ", expected at most its ", spec.inputs[side].size(), " columns");
    }
    join->dropped[side] = count.get<size_t>();
  }
  return Status::OK();
}

Status ReadGuest(const OperatorSpec& spec, JoinSpec* join) {
  if (!spec.arguments.contains("guestReads")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(join->guest, IntegerMember(spec.arguments, "guest"));
  ARROW_ASSIGN_OR_RAISE(join->guest_reads,
                        ColumnNumbersMember(spec.arguments, "guestReads",
                                            spec.inputs[0].size() + spec.inputs[1].size()));
  if (!spec.arguments.contains("guestTrial")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(join->guest_trial, ExpressionMember(spec.arguments, "guestTrial"));
  return Status::OK();
}

Result<JoinSpec> ReadArguments(const OperatorSpec& spec, bool keyed) {
  const nlohmann::json& arguments = spec.arguments;
  JoinSpec join;
  ARROW_ASSIGN_OR_RAISE(join.type, TypeMember(arguments));
  ARROW_ASSIGN_OR_RAISE(const std::string build_side, StringMember(arguments, "buildSide"));
  if (build_side != "left" && build_side != "right") {
    return Status::Invalid("\"buildSide\" is \"", build_side, "\", expected \"left\" or \"right\"");
  }
  join.build_left = build_side == "left";
  // Dumps of before have no such members.
  if (arguments.contains("ordered")) {
    ARROW_ASSIGN_OR_RAISE(join.ordered, BooleanMember(arguments, "ordered"));
  }
  if (arguments.contains("deferred")) {
    ARROW_ASSIGN_OR_RAISE(join.deferred, BooleanMember(arguments, "deferred"));
  }
  if (arguments.contains("latestFirst")) {
    ARROW_ASSIGN_OR_RAISE(join.latest_first, BooleanMember(arguments, "latestFirst"));
  }
  if (join.is_membership() && join.build_left) {
    return Status::NotImplemented("a semi, anti or existence join must build its right side");
  }
  if (keyed) {
    RETURN_NOT_OK(ReadKeys(arguments, &join));
    RETURN_NOT_OK(ReadDropped(spec, &join));
    ARROW_ASSIGN_OR_RAISE(join.null_aware, BooleanMember(arguments, "nullAware"));
  }
  RETURN_NOT_OK(ReadGuest(spec, &join));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* condition, Member(arguments, "condition"));
  if (!condition->is_null()) {
    ARROW_ASSIGN_OR_RAISE(join.condition, ExpressionMember(arguments, "condition"));
  }
  if (join.null_aware && (join.type != JoinType::kAnti || join.left_keys.size() != 1 ||
                          join.condition || join.guest)) {
    return Status::Invalid("\"nullAware\" is for anti joins with one key and without condition");
  }
  return join;
}

}  // namespace

Result<JoinSpec> ReadJoinSpec(const OperatorSpec& spec, bool keyed) {
  ARROW_ASSIGN_OR_RAISE(JoinSpec join, ReadArguments(spec, keyed));
  RETURN_NOT_OK(CheckJoinOutput(spec, join));
  return join;
}

Result<JoinSpec> ReadMatchedRowsSpec(const OperatorSpec& spec) {
  ARROW_ASSIGN_OR_RAISE(JoinSpec join, ReadArguments(spec, /*keyed=*/false));
  if (join.type != JoinType::kInner) {
    return Status::Invalid("\"joinType\" must be \"inner\" where build rows are only marked");
  }
  if (spec.output.size() != 1 || !spec.output[0].type.is(TypeKind::kInteger)) {
    return Status::Invalid("the output must be one column of type int");
  }
  join.marks_only = true;
  return join;
}

}  // namespace reprise
