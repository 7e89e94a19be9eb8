// Every specification that the rules write for a plan of Spark's can be made into an operator.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "operators/registry.h"
#include "operators/runtime_values.h"
#include "rules/planner.h"
#include "rules/supported_page.h"
#include "vocabulary/kinds.h"

namespace reprise {
namespace {

/// An input without rows.
class Nothing final : public Operator {
 public:
  Nothing(OperatorSpec spec, const TaskContext& context) : Operator(std::move(spec), {}, context) {}

 private:
  Result<std::optional<Batch>> NextBatch() override { return std::nullopt; }
};

/// Spark's part of an aggregate, which no row ever comes to.
class GroupsOfNothing final : public GuestGroups {
 public:
  Status Clear() override { return Status::OK(); }
  Status Update(const EncodedRows&, const int32_t*) override { return Unexpected(); }
  Status Merge(const EncodedRows&, const int32_t*) override { return Unexpected(); }
  Status Begin(int32_t, int32_t, bool) override { return Unexpected(); }
  Result<Filled> Fill(uint8_t*, int64_t, int32_t*, int32_t) override { return Unexpected(); }

 private:
  static Status Unexpected() { return Status::Invalid("there is no row"); }
};

/// core/rules/testdata of the tree in which the test program has been built.
std::filesystem::path Folder() {
  std::filesystem::path above = std::filesystem::read_symlink("/proc/self/exe");
  while (above != above.root_path() && !std::filesystem::exists(above / "core/rules/testdata")) {
    above = above.parent_path();
  }
  return above / "core/rules/testdata";
}

/// Makes the operator over inputs without rows and runs it to its end.
Status MakeAndRun(const OperatorSpec& spec) {
  TaskContext context;
  context.take_guest_groups = [](int64_t) { return std::make_shared<GroupsOfNothing>(); };
  std::vector<std::unique_ptr<Operator>> inputs;
  for (const auto& columns : spec.inputs) {
    OperatorSpec leaf;
    leaf.kind = "row_input";
    leaf.name = "Nothing";
    leaf.output = columns;
    inputs.push_back(std::make_unique<Nothing>(std::move(leaf), context));
  }
  ARROW_ASSIGN_OR_RAISE(const auto made, MakeOperator(spec, std::move(inputs), context));
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const auto batch, made->Next());
    if (!batch) return Status::OK();
  }
}

/// What a write that begins tells, of no columns.
const nlohmann::json kWriteOfNothing = {{"columns", nlohmann::json::array()},
                                        {"partitionColumns", nlohmann::json::array()},
                                        {"footer", nlohmann::json::array()},
                                        {"maxRecordsPerFile", 0}};

/// The specification with null for the result of every subquery, and without bounds.
nlohmann::json AfterSubqueries(const nlohmann::json& spec) {
  const std::string text = spec.dump();
  nlohmann::json values = nlohmann::json::object();
  const std::regex number(R"re("id":([0-9]+))re");
  for (std::sregex_iterator found(text.begin(), text.end(), number), end; found != end; ++found) {
    values[(*found)[1].str()] = {{"value", nullptr}, {"values", nlohmann::json::array()}};
  }
  values["0"]["rows"] = nlohmann::json::array();  // the bounds of a range partitioning
  if (spec.at("kind") == "parquet_write") values["0"]["rows"].push_back(kWriteOfNothing);
  nlohmann::json fragment = {{"values", values}, {"operator", spec}};
  const Status status = PutRuntimeValues(&fragment);
  EXPECT_TRUE(status.ok()) << status;
  return fragment["operator"];
}

TEST(RulesAgreementTest, EverySpecificationCanBeMade) {
  std::set<std::string> kinds;
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string document{std::istreambuf_iterator<char>(stream),
                               std::istreambuf_iterator<char>()};
    const auto answer = Plan(document, R"({"pass":"replace"})");
    ASSERT_TRUE(answer.ok()) << entry.path() << ": " << answer.status();
    const auto json = nlohmann::json::parse(*answer);
    for (const auto& node : json["nodes"]) {
      if (!node.contains("native") || node["native"].contains("remove")) continue;
      const auto spec = OperatorSpecFromJson(AfterSubqueries(node["native"]["operator"]));
      ASSERT_TRUE(spec.ok()) << entry.path() << ": " << spec.status();
      kinds.insert(spec->kind);
      EXPECT_EQ(node["native"]["metrics"].size(), MetricsOf(spec->kind).size());
      if (LeafReads(spec->kind, "files")) continue;
      std::vector<OperatorSpec> specs = {*spec};
      if (node["native"].contains("functions")) specs[0].arguments["guest"] = 0;
      for (const char* part : {"before", "after"}) {
        for (const auto& other : node["native"].value("python", nlohmann::json())[part]) {
          specs.push_back(*OperatorSpecFromJson(other));
        }
      }
      for (const OperatorSpec& one : specs) {
        const Status status = MakeAndRun(one);
        EXPECT_TRUE(status.ok()) << entry.path() << ": " << status << "\n" << node.dump();
      }
    }
  }
  const auto written = WrittenKinds();
  EXPECT_EQ(kinds, std::set<std::string>(written.begin(), written.end()));
}

}  // namespace
}  // namespace reprise
