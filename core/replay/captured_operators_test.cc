// Real operators, captured while a fragment runs, replay from their dumps with the same output.
#include <gtest/gtest.h>

#include "dump/begin.h"
#include "dump/capture_writer.h"
#include "dump/dump_input.h"
#include "dump/sample_dump.h"
#include "operators/fragment.h"
#include "replay/replay.h"

namespace reprise {
namespace {

using Json = nlohmann::json;

const std::vector<Field> kGrouped = {
    {"k", {TypeKind::kString}}, {"n", {TypeKind::kLong}}, {"d", Decimal(15, 2)}};

Json ColumnJson(int index) {
  return {{"function", "column"},
          {"type", JsonName(kGrouped[index].type)},
          {"nullable", true},
          {"attributes", {{"index", index}}}};
}

Json GreaterThan(int64_t value) {
  const Json literal = {{"function", "literal"},
                        {"type", "long"},
                        {"nullable", false},
                        {"attributes", {{"value", value}}}};
  return {{"function", "greater"},
          {"type", "boolean"},
          {"nullable", true},
          {"arguments", {ColumnJson(1), literal}}};
}

OperatorSpec FilterSpec() {
  OperatorSpec spec = PassSpec(kGrouped, 2);
  spec.kind = "filter";
  spec.name = "RepriseFilter";
  spec.arguments = {{"condition", GreaterThan(1)}};
  return spec;
}

// sum(n), count(d) by k: the partial step of an aggregate.
OperatorSpec AggregateSpec() {
  OperatorSpec spec = PassSpec(kGrouped, 3);
  spec.kind = "hash_aggregate";
  spec.name = "RepriseHashAggregate";
  spec.output = {
      {"k", {TypeKind::kString}}, {"sum", {TypeKind::kLong}}, {"count", {TypeKind::kLong}, false}};
  const Json sum = {{"function", "sum"},
                    {"mode", "partial"},
                    {"inputs", {ColumnJson(1)}},
                    {"filter", nullptr},
                    {"buffer", ToJson(std::vector<Field>{spec.output[1]})},
                    {"result", "long"},
                    {"inputType", "long"},
                    {"ansi", true}};
  const Json count = {{"function", "count"},
                      {"mode", "partial"},
                      {"inputs", {ColumnJson(2)}},
                      {"filter", nullptr},
                      {"buffer", ToJson(std::vector<Field>{spec.output[2]})},
                      {"result", "long"},
                      {"inputType", nullptr},
                      {"ansi", true}};
  spec.arguments = {{"keys", {ColumnJson(0)}}, {"aggregates", {sum, count}}};
  return spec;
}

// Runs a filter below an aggregate over two batches, both captured, pulling at most `batches_max`
// batches.
Status RunFragment(const std::string& path, int batches_max) {
  const OperatorSpec filter = FilterSpec();
  const OperatorSpec aggregate = AggregateSpec();
  for (const OperatorSpec& spec : {filter, aggregate}) {
    RETURN_NOT_OK(BeginDump(BeginRequest(spec, CaptureJson(path, spec.lore_id), 1)));
  }
  OperatorSpec rows;
  rows.kind = "row_input";
  rows.name = "rows";
  rows.output = kGrouped;
  const Json fragment = {{"operator", ToJson(aggregate)},
                         {"capture", CaptureJson(path, aggregate.lore_id)},
                         {"inputs",
                          {{{"operator", ToJson(filter)},
                            {"capture", CaptureJson(path, filter.lore_id)},
                            {"inputs", {{{"leaf", 0}, {"operator", ToJson(rows)}}}}}}}};
  TaskContext context;
  context.attempt = 41;
  const auto leaf = [&](int, OperatorSpec spec) -> Result<std::unique_ptr<Operator>> {
    auto batches = std::make_shared<std::vector<std::shared_ptr<arrow::RecordBatch>>>();
    batches->push_back(BatchOf(kGrouped, R"([["a",1,"1.00"],["b",2,"2.50"],[null,7,null]])"));
    batches->push_back(BatchOf(kGrouped, R"([["b",5,null],["a",9,"0.01"],["c",null,"3.00"]])"));
    const BatchSource source = [batches]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
      if (batches->empty()) return nullptr;
      auto first = batches->front();
      batches->erase(batches->begin());
      return first;
    };
    return MakeDumpInput(spec.name, spec.output, source, true, context);
  };
  const auto capture = [&](const OperatorSpec& spec, const Json& json, std::optional<int>) {
    return MakeDumpCapture(spec, json, context);
  };
  ARROW_ASSIGN_OR_RAISE(const auto root, BuildFragment(fragment, context, leaf, capture));
  for (int i = 0; i < batches_max; ++i) {
    ARROW_ASSIGN_OR_RAISE(const auto batch, root->Next());
    if (!batch) break;
  }
  return root->Finish(CaptureEnd::kSucceeded);
}

TEST(CapturedOperators, ReplayToTheSameOutput) {
  const TemporaryFolder folder;
  const Status ran = RunFragment(folder.path(), INT32_MAX);
  ASSERT_TRUE(ran.ok()) << ran.ToString();
  struct Expected {
    const char* folder;
    int64_t rows_in;
    int64_t rows_out;
  };
  for (const Expected& expected : {Expected{"loreId-2", 6, 4}, Expected{"loreId-3", 4, 3}}) {
    SCOPED_TRACE(expected.folder);
    ReplayOptions options;
    options.repeat = 2;
    const auto report = Replay(folder / expected.folder, options);
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    ASSERT_EQ(report->partitions.size(), 1u);
    const PartitionReplay& replay = report->partitions[0];
    EXPECT_EQ(replay.error, "");
    EXPECT_EQ(replay.input_rows, expected.rows_in);
    EXPECT_EQ(replay.input_batches, 2);
    EXPECT_EQ(replay.output.rows, expected.rows_out);
    EXPECT_EQ(replay.comparison.verdict, Verdict::kEqual);
    EXPECT_FALSE(replay.unstable);
  }
}

TEST(CapturedOperators, ATaskThatPulledNothingReplaysToNothing) {
  const TemporaryFolder folder;
  ASSERT_TRUE(RunFragment(folder.path(), 0).ok());
  const ReplayReport report = Replay(folder / "loreId-3", {}).ValueOrDie();
  EXPECT_EQ(report.partitions[0].output.rows, 0);
  EXPECT_TRUE(report.partitions[0].comparison.prefix);
  EXPECT_EQ(report.partitions[0].comparison.verdict, Verdict::kEqual);
}

}  // namespace
}  // namespace reprise
