// What the rules write, the expressions must know: the rules cannot ask them, because they come
// first.
#include <gtest/gtest.h>

#include <algorithm>

#include "expressions/signatures.h"
#include "rules/expression_table.h"
#include "rules/supported_page.h"

namespace reprise {
namespace {

const std::vector<DataType> kTypes = {
    {TypeKind::kBoolean},   {TypeKind::kByte},         {TypeKind::kShort},  {TypeKind::kInteger},
    {TypeKind::kLong},      {TypeKind::kFloat},        {TypeKind::kDouble}, Decimal(10, 2),
    Decimal(38, 6),         {TypeKind::kString},       {TypeKind::kBinary}, {TypeKind::kDate},
    {TypeKind::kTimestamp}, {TypeKind::kTimestampNtz},
};

/// Whether some number of operands of one type, and some result, are taken.
bool Takes(std::string_view function, const DataType& type) {
  for (size_t count = 0; count <= 3; ++count) {
    for (const DataType& result : kTypes) {
      ExpressionSpec spec;
      spec.function = function;
      spec.type = result;
      std::vector<DataType> arguments(count, type);
      // The conditions of IF and CASE are boolean whatever the branches are.
      if ((function == "if" || function == "case_when") && count > 0) {
        arguments[0] = {TypeKind::kBoolean};
      }
      if (function == "substring" && count == 3) {
        arguments = {{TypeKind::kString}, {TypeKind::kInteger}, {TypeKind::kInteger}};
      }
      if ((function == "date_add" || function == "date_sub" || function == "add_months") &&
          count == 2) {
        arguments = {{TypeKind::kDate},
                     type.is(TypeKind::kDate) ? DataType{TypeKind::kInteger} : type};
      }
      if ((function == "repeat" || function.starts_with("pad_")) && count > 1) {
        arguments.assign(count, {TypeKind::kString});
        arguments[1] = {TypeKind::kInteger};
      }
      if (function.starts_with("shift_") && count == 2) arguments[1] = {TypeKind::kInteger};
      if (function.starts_with("truncate_") && count == 1 && type.is(TypeKind::kString)) {
        return true;  // the unit, which is written as an attribute
      }
      if (function == "locate" && type.is(TypeKind::kInteger)) return true;          // the start
      if (function == "months_between" && type.is(TypeKind::kBoolean)) return true;  // so too
      if (CheckSignature(spec, arguments).ok()) return true;
    }
  }
  return false;
}

TEST(RulesAgreementTest, EveryFunctionThatIsWrittenExists) {
  const auto names = FunctionNames();
  for (const std::string& written : WrittenFunctions()) {
    EXPECT_NE(std::ranges::find(names, written), names.end()) << written;
  }
}

TEST(RulesAgreementTest, EveryFunctionTakesTheTypesThatTheRulesLetThrough) {
  for (const ExpressionRule& rule : ExpressionTable()) {
    if (rule.function.empty()) continue;
    for (const DataType& type : kTypes) {
      if (!rule.operand_types.has(type)) continue;
      EXPECT_TRUE(Takes(rule.function, type)) << rule.class_name << " of " << type.ToString();
    }
  }
}

TEST(RulesAgreementTest, CastsAreTheSame) {
  for (const DataType& from : kTypes) {
    for (const DataType& to : kTypes) {
      if (from == to) continue;
      EXPECT_EQ(IsNativeCast(from, to), CanCast(from, to))
          << from.ToString() << " to " << to.ToString();
    }
  }
}

}  // namespace
}  // namespace reprise
