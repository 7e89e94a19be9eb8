#include "operators/arrow_input.h"

#include <gmock/gmock.h>

#include <deque>

#include "operators/operator_testing.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using testing::ExpectColumn;
using testing::Fields;
using testing::Good;

/// Gives one column of longs, and batches that were put aside.
class GivenColumns final : public ArrowSource {
 public:
  GivenColumns(std::vector<std::string> longs, std::deque<Batch> kept) : kept_(std::move(kept)) {
    for (const std::string& values : longs) columns_.push_back(testing::Values("long", values));
  }

  Result<std::optional<ForeignColumns>> Next() override {
    if (next_ == columns_.size()) return std::nullopt;
    const auto& column = columns_[next_++];
    const auto& values = column->data()->buffers[1];
    ForeignColumns told;
    told.rows = column->length();
    told.buffers = {{}, {values->data(), static_cast<size_t>(values->size())}};
    return told;
  }

  Result<std::optional<Batch>> Kept() override {
    if (kept_.empty()) return std::nullopt;
    Batch first = std::move(kept_.front());
    kept_.pop_front();
    return first;
  }

 private:
  arrow::ArrayVector columns_;
  std::deque<Batch> kept_;
  size_t next_ = 0;
};

const std::vector<Field> kKept = Fields({"a integer", "argument0 integer"});
const std::vector<Field> kOutput = Fields({"a integer", "result long"});

Batch Kept(const std::string& numbers) { return BatchOf(kKept, {numbers, numbers}); }

Result<std::unique_ptr<Operator>> MakeLeaf(int64_t kept, std::vector<std::string> longs,
                                           std::deque<Batch> batches, const TaskContext& context) {
  OperatorSpec spec{"arrow_input", "RepriseFromPython", 0, "", "", kOutput, {}, {{"kept", kept}}};
  if (kept == 0) spec.output.erase(spec.output.begin());
  return MakeArrowInput(std::move(spec),
                        std::make_unique<GivenColumns>(std::move(longs), std::move(batches)),
                        context);
}

TEST(ArrowInput, ResultsStandBesideWhatWasPutAside) {
  TaskContext context;
  auto op =
      Good(MakeLeaf(1, {"[10, 20]", "[]", "[30, 40]"}, {Kept("[1]"), Kept("[2, 3, 4]")}, context));
  const auto all = Good(Drain(op.get()));
  ExpectColumn(*all, 0, "[1, 2, 3, 4]");
  ExpectColumn(*all, 1, "[10, 20, 30, 40]");
}

TEST(ArrowInput, ResultsMayStandAlone) {
  TaskContext context;
  auto op = Good(MakeLeaf(0, {"[10, 20]", "[30]"}, {}, context));
  ExpectColumn(*Good(Drain(op.get())), 0, "[10, 20, 30]");
}

TEST(ArrowInput, AsManyResultsAsRowsAreExpected) {
  TaskContext context;
  const auto error = [&](std::vector<std::string> longs, std::deque<Batch> kept) {
    auto op = Good(MakeLeaf(1, std::move(longs), std::move(kept), context));
    return Drain(op.get()).status().message();
  };
  EXPECT_EQ(error({"[10, 20]"}, {Kept("[1]")}),
            "RepriseFromPython: there are more rows than were given away");
  EXPECT_EQ(error({"[10]"}, {Kept("[1, 2]")}),
            "RepriseFromPython: there are 1 rows fewer than were given away");
  EXPECT_EQ(error({"[10]"}, {Kept("[1]"), Kept("[2]")}),
            "RepriseFromPython: there are fewer rows than were given away");
}

TEST(ArrowInput, WhatWasPutAsideGoesToDiskAndComesBackInItsOrder) {
  TaskContext context;
  auto op = Good(MakeLeaf(1, {"[10]", "[20, 30, 40]", "[50]"},
                          {Kept("[1]"), Kept("[2]"), Kept("[3, 4]"), Kept("[5]")}, context));
  ExpectColumn(*Good(ToRecordBatch(*Good(op->Next()), context.pool)), 0, "[1]");
  EXPECT_GT(op->SpillableBytes(), 0);
  EXPECT_GT(Good(op->Spill()), 0);
  EXPECT_EQ(op->SpillableBytes(), 0);
  EXPECT_EQ(Good(op->Spill()), 0);
  EXPECT_GT(op->metrics().spilled_disk_bytes, 0);
  const auto rest = Good(Drain(op.get()));
  ExpectColumn(*rest, 0, "[2, 3, 4, 5]");
  ExpectColumn(*rest, 1, "[20, 30, 40, 50]");
}

TEST(ArrowInput, SaysWhatIsWrongWithASpecification) {
  TaskContext context;
  EXPECT_EQ(MakeLeaf(3, {}, {}, context).status().message(),
            "RepriseFromPython: \"kept\" is 3 of 2 columns");
}

}  // namespace
}  // namespace reprise
