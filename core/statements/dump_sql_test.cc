#include "statements/dump_sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dump/begin.h"
#include "dump/sample_dump.h"
#include "statements/sql_expression.h"
#include "statements/sql_input.h"
#include "statements/sql_value.h"
#include "statements/task_testing.h"

namespace reprise {
namespace {

using testing::Call;
using testing::ColumnOf;
using ::testing::HasSubstr;
using testing::Literal;

std::string SqlOf(const ExpressionSpec& expression) {
  return SqlOfExpression(expression, {"`a`", "`b`"}).ValueOrDie();
}

TEST(SqlOfLiteral, GivesItsValueAndItsType) {
  EXPECT_EQ(SqlOf(Literal("integer", 7)), "7");
  EXPECT_EQ(SqlOf(Literal("long", -7)), "CAST('-7' AS bigint)");
  EXPECT_EQ(SqlOf(Literal("decimal(5,2)", "-7")), "CAST('-0.07' AS decimal(5,2))");
  EXPECT_EQ(SqlOf(Literal("double", "-0.0")), "CAST('-0' AS double)");
  EXPECT_EQ(SqlOf(Literal("string", "it's \\ \n")), R"('it\'s \\ \n')");
  EXPECT_EQ(SqlOf(Literal("date", 0)), "DATE '1970-01-01'");
  EXPECT_EQ(SqlOf(Literal("timestamp_ntz", -1)), "TIMESTAMP_NTZ '1969-12-31 23:59:59.999999'");
  EXPECT_EQ(SqlOf(Literal("integer", nullptr)), "CAST(NULL AS int)");
}

TEST(SqlOfExpression, IsReadBackAsItWasMeant) {
  const auto a = ColumnOf(kLongAndText, 0);
  const auto b = ColumnOf(kLongAndText, 1);
  EXPECT_EQ(SqlOf(Call("and", "boolean",
                       {Call("less", "boolean", {a, a}), Call("is_null", "boolean", {b})})),
            "((`a` < `a`) AND (`b` IS NULL))");
  EXPECT_EQ(SqlOf(Call("trim", "string", {b, Literal("string", "x")})), "trim(BOTH 'x' FROM `b`)");
}

TEST(SqlOfExpression, WhatHasNoFormIsNamed) {
  const auto found = SqlOfExpression(Call("might_contain", "boolean", {}), {});
  EXPECT_TRUE(found.status().IsNotImplemented());
  EXPECT_EQ(found.status().message(), "might_contain has no form in Spark's SQL");
}

TEST(DistinctNames, NumberThoseThatAreCalledAlike) {
  const DataType type{TypeKind::kLong};
  EXPECT_EQ(DistinctNames({{"a", type}, {"A", type}, {"A_1", type}, {"b", type}}),
            (std::vector<std::string>{"a", "A_2", "A_1", "b"}));
}

class DumpSqlTest : public ::testing::Test {
 protected:
  OperatorDump Filter() {
    OperatorSpec spec = PassSpec(kLongAndText);
    spec.kind = "filter";
    spec.name = "RepriseFilter";
    spec.arguments["condition"] =
        ToJson(Call("less", "boolean", {ColumnOf(kLongAndText, 0), Literal("long", 3)}));
    const auto capture = CaptureJson(folder_ / "dump");
    EXPECT_TRUE(BeginDump(BeginRequest(spec, capture, 1)).ok());
    EXPECT_TRUE(RecordPass(spec, capture, {BatchOf(kLongAndText, R"([[1,"x"],[5,null]])")}).ok());
    return OperatorDump::Open(folder_ / "dump/loreId-5").ValueOrDie();
  }

  TemporaryFolder folder_;
};

TEST_F(DumpSqlTest, FewRowsAreLiterals) {
  const std::string sql = SqlOfDump(Filter(), {}).ValueOrDie();
  EXPECT_THAT(sql, HasSubstr("WITH input_0 AS (\n"
                             "  SELECT * FROM VALUES\n"
                             "    (CAST('1' AS bigint), 'x'),\n"
                             "    (CAST('5' AS bigint), CAST(NULL AS string))\n"
                             "    AS recorded(`a`, `b`)\n)\n"
                             "SELECT `a`, `b`\nFROM input_0\n"
                             "WHERE (`a` < CAST('3' AS bigint));\n"));
}

TEST_F(DumpSqlTest, OthersAreReadFromTheFiles) {
  DumpSqlOptions options;
  options.values_max = 0;
  const std::string sql = SqlOfDump(Filter(), options).ValueOrDie();
  EXPECT_THAT(sql, HasSubstr("SELECT `a`, `b` FROM parquet.`" + folder_.path() +
                             "/dump/loreId-5/input-0/partition-0/batch-*.parquet`"));
}

TEST_F(DumpSqlTest, AnotherPartitionMustBeThere) {
  DumpSqlOptions options;
  options.partition = 7;
  EXPECT_THAT(SqlOfDump(Filter(), options).status().message(), HasSubstr("partition 7"));
}

}  // namespace
}  // namespace reprise
