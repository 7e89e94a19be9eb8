#include "statements/unit_test_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "dump/sample_dump.h"
#include "statements/task_testing.h"

namespace reprise {
namespace {

using ::testing::HasSubstr;

// 100 / a, of which the second row fails.
PlanMeta Division() {
  const std::vector<Field> input = kLongAndText;
  PlanMeta plan;
  plan.spec.kind = "project";
  plan.spec.name = "RepriseProject";
  plan.spec.lore_id = 5;
  plan.spec.occurrence = "Project#0";
  plan.spec.fingerprint = "0123456789abcdef";
  plan.spec.output = {{"q", {TypeKind::kLong}}, {"b", {TypeKind::kString}}};
  plan.spec.inputs = {input};
  plan.spec.arguments["expressions"] = {
      ToJson(testing::Call("integral_divide", "long",
                           {testing::Literal("long", 100), testing::ColumnOf(input, 0)})),
      ToJson(testing::ColumnOf(input, 1))};
  return plan;
}

TaskRows RowsOf(const std::string& rows) {
  TaskRows task;
  task.header.partition = 3;
  task.inputs = {{BatchOf(kLongAndText, rows)}};
  return task;
}

// What stands in tests/golden/shrunk_test.cc is built as a program of its own, which must fail
// (CMakeLists.txt). REPRISE_UPDATE_GOLDEN=1 writes it again.
TEST(UnitTestText, IsTheSampleThatIsBuiltAndFails) {
  const std::string text =
      CppTestOf(Division(), RowsOf(R"([[7,"it's"],[0,null]])"), {}).ValueOrDie();
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) std::ofstream(REPRISE_SHRUNK_SAMPLE) << text;
  std::ostringstream sample;
  sample << std::ifstream(REPRISE_SHRUNK_SAMPLE).rdbuf();
  EXPECT_EQ(text, sample.str());
}

TEST(UnitTestText, ComparesWithTheRowsThatAreExpected) {
  TaskRows rows = RowsOf(R"([[7,"a"]])");
  rows.output = {{BatchOf(Division().spec.output, R"([[15,"a"]])")}};
  const std::string text =
      CppTestOf(Division(), rows, {CppTestClaim::Kind::kGivesOutput, ""}).ValueOrDie();
  EXPECT_THAT(text, HasSubstr("TEST(LoreId5, GivesWhatSparkGives)"));
  EXPECT_THAT(text, HasSubstr(R"x(Values("long", R"json([15])json"))x"));
  EXPECT_THAT(text, HasSubstr("EXPECT_EQ(RowTexts(**output), expected)"));
}

TEST(UnitTestText, SaysTextsThatAreNoUtf8AsBytes) {
  TaskRows rows = RowsOf(R"([[7,"a"]])");
  rows.inputs[0] = {
      arrow::RecordBatch::Make(rows.inputs[0][0]->schema(), 1,
                               {rows.inputs[0][0]->column(0),
                                testing::BytesValues("string", {std::string_view("\xff\"1", 3)})})};
  const std::string text = CppTestOf(Division(), rows, {}).ValueOrDie();
  EXPECT_THAT(text, HasSubstr(R"x(BytesValues("string", {"\377\"1"sv}))x"));
}

TEST(UnitTestText, OfWhatSparkAloneRunsThereIsNone) {
  PlanMeta plan = Division();
  plan.spec.kind = "spark";
  EXPECT_TRUE(CppTestOf(plan, RowsOf("[]"), {}).status().IsNotImplemented());
}

}  // namespace
}  // namespace reprise
