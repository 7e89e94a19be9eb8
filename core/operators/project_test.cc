#include "operators/project.h"

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Call;
using testing::ColumnOf;
using testing::Fields;
using testing::Literal;

const std::vector<Field> kProjected = Fields({"a long", "b string"});
const ExpressionSpec kPlusOne = Call("add", "long", {ColumnOf(kProjected, 0), Literal("long", 1)});

OperatorSpec ProjectSpec(const std::vector<ExpressionSpec>& expressions,
                         std::vector<Field> output) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& expression : expressions) json.push_back(ToJson(expression));
  return {"project",
          "RepriseProject",
          6,
          "",
          "",
          std::move(output),
          {kProjected},
          {{"expressions", std::move(json)}}};
}

std::unique_ptr<Operator> MakeProject(OperatorSpec spec, std::vector<Batch> batches,
                                      const TaskContext& context) {
  return testing::Good(MakeOperator(
      std::move(spec), testing::SourceOf(kProjected, std::move(batches), context), context));
}

TEST(Project, PassesColumnsOnWithTheirSelection) {
  TaskContext context;
  auto spec =
      ProjectSpec({ColumnOf(kProjected, 1), ColumnOf(kProjected, 0), ColumnOf(kProjected, 1)},
                  Fields({"x string", "y long", "z string"}));
  const Batch batch = testing::WithSelection(BatchOf(kProjected, {"[1, 2]", R"(["p", "q"])"}), {1});
  auto project = MakeProject(std::move(spec), {batch}, context);
  const Batch output = *testing::Good(project->Next());
  EXPECT_EQ(output.columns[0], batch.columns[1]);
  EXPECT_EQ(output.columns[1], batch.columns[0]);
  EXPECT_EQ(output.columns[2], batch.columns[1]);
  EXPECT_EQ(output.selection, batch.selection);
  EXPECT_EQ(output.row_count, 2);
  EXPECT_EQ(output.schema->field(1)->name(), "y");
}

TEST(Project, ComputesOverTheSelectedRows) {
  TaskContext context;
  auto spec = ProjectSpec({kPlusOne, ColumnOf(kProjected, 1), Literal("integer", 7)},
                          Fields({"x long", "y string", "z integer"}));
  auto project =
      MakeProject(std::move(spec),
                  {testing::WithSelection(
                      BatchOf(kProjected, {"[1, 2, null]", R"(["p", "q", null])"}), {0, 2})},
                  context);
  const Batch output = *testing::Good(project->Next());
  EXPECT_FALSE(output.has_selection());
  EXPECT_EQ(output.row_count, 2);
  auto rows = testing::Good(ToRecordBatch(output, context.pool));
  testing::ExpectColumn(*rows, 0, "[2, null]");
  testing::ExpectColumn(*rows, 1, R"(["p", null])");
  testing::ExpectColumn(*rows, 2, "[7, 7]");
}

TEST(Project, CopiesNoColumnOfABatchWithoutSelection) {
  TaskContext context;
  const Batch batch = BatchOf(kProjected, {"[1]", R"(["p"])"});
  auto project =
      MakeProject(ProjectSpec({kPlusOne, ColumnOf(kProjected, 1)}, Fields({"x long", "y string"})),
                  {batch}, context);
  EXPECT_EQ((*testing::Good(project->Next())).columns[1], batch.columns[1]);
}

TEST(Project, KeepsTheRowsOfAnOutputWithoutColumns) {
  TaskContext context;
  auto project =
      MakeProject(ProjectSpec({}, {}), {BatchOf(kProjected, {"[1, 2]", R"(["p", "q"])"})}, context);
  EXPECT_EQ((*testing::Good(project->Next())).selected_count(), 2);
}

TEST(Project, RefusesMalformedSpecs) {
  TaskContext context;
  const auto message = [&](OperatorSpec spec) {
    return MakeOperator(std::move(spec), testing::SourceOf(kProjected, {}, context), context)
        .status()
        .message();
  };
  EXPECT_EQ(message(ProjectSpec({kPlusOne}, Fields({"x long", "y long"}))),
            "RepriseProject (LORE id 6): \"expressions\" has 1 expressions for an output of 2 "
            "columns");
  EXPECT_EQ(message(ProjectSpec({kPlusOne}, Fields({"x integer"}))),
            "RepriseProject (LORE id 6): expression 0 of \"expressions\" is bigint, its output "
            "column x is int");
  OperatorSpec spec = ProjectSpec({kPlusOne}, Fields({"x long"}));
  spec.arguments["expressions"] = "a + 1";
  EXPECT_EQ(message(spec),
            "RepriseProject (LORE id 6): \"expressions\" must be an array, not string");
}

}  // namespace
}  // namespace reprise
