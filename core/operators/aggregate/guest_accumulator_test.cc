// Aggregate functions that Spark evaluates, played by one that joins texts.
#include <gmock/gmock.h>

#include <cstring>

#include "operators/aggregate/aggregate_testing.h"
#include "transitions/guest_groups.h"
#include "transitions/row_decoder.h"
#include "transitions/row_encoder.h"

namespace reprise {
namespace {

using namespace testing;

const std::vector<Field> kRows = Fields({"k integer", "v string"});
const std::vector<Field> kText = Fields({"v string"});

/// The texts of a group one after the other, which is its buffer as well; fails at "bad".
class JoinedTexts final : public GuestGroups {
 public:
  Status Clear() override {
    texts_.clear();
    return Status::OK();
  }

  Status Update(const EncodedRows& rows, const int32_t* groups) override {
    return Add(rows, groups);
  }

  Status Merge(const EncodedRows& rows, const int32_t* groups) override {
    return Add(rows, groups);
  }

  Status Begin(int32_t begin, int32_t end, bool /*results*/) override {
    next_ = begin;
    end_ = end;
    return Status::OK();
  }

  Result<Filled> Fill(uint8_t* to, int64_t capacity, int32_t* lengths, int32_t rows_max) override {
    if (next_ == end_ || rows_max == 0) return Filled{};
    Grow(next_);
    auto encoder = Good(UnsafeRowEncoder::Make(kText, arrow::default_memory_pool()));
    const Batch text = BatchOf(kText, {fmt::format(R"(["{}"])", texts_[next_])});
    const EncodedRows row = Good(encoder->Encode(text));
    if (row.offsets[1] > capacity) return Filled{0, row.offsets[1]};
    std::memcpy(to, row.bytes, static_cast<size_t>(row.offsets[1]));
    lengths[0] = row.offsets[1];
    ++next_;
    return Filled{1};
  }

 private:
  void Grow(int32_t group) {
    if (std::ssize(texts_) <= group) texts_.resize(static_cast<size_t>(group) + 1);
  }

  Status Add(const EncodedRows& rows, const int32_t* groups) {
    std::vector<int32_t> lengths;
    for (int32_t i = 0; i < rows.row_count; ++i) {
      lengths.push_back(rows.offsets[i + 1] - rows.offsets[i]);
    }
    const auto decoder = Good(UnsafeRowDecoder::Make(kText, arrow::default_memory_pool()));
    const Batch decoded = Good(
        decoder->Decode({rows.bytes, static_cast<size_t>(rows.offsets[rows.row_count])}, lengths));
    const auto column = Good(DecodeDictionary(decoded.columns[0], arrow::default_memory_pool()));
    const auto& texts = static_cast<const arrow::StringArray&>(*column);
    for (int32_t i = 0; i < rows.row_count; ++i) {
      const int32_t group = groups == nullptr ? 0 : groups[i];
      Grow(group);
      if (texts.GetView(i) == "bad") return Status::ExecutionError("a bad text");
      texts_[static_cast<size_t>(group)] += texts.GetView(i);
    }
    return Status::OK();
  }

  std::vector<std::string> texts_;
  int32_t next_ = 0;
  int32_t end_ = 0;
};

TaskContext WithSpark() {
  TaskContext context;
  context.take_guest_groups = [](int64_t number) -> std::shared_ptr<GuestGroups> {
    return number == 5 ? std::make_shared<JoinedTexts>() : nullptr;
  };
  return context;
}

nlohmann::json Guest(const std::string& mode) {
  nlohmann::json json = {{"function", "guest"}, {"mode", mode},  {"buffer", ToJson(kText)},
                         {"result", "string"},  {"ansi", false}, {"guest", 2}};
  if (mode == "final" || mode == "partial_merge") {
    json["bufferIndex"] = 1;
  } else {
    json["inputs"] = {ToJson(ColumnOf(kRows, 1))};
    json["filter"] = nullptr;
  }
  return json;
}

OperatorSpec Aggregate(const std::string& mode, bool evaluates) {
  OperatorSpec spec = AggregateOperator(kRows, {0}, {Guest(mode)}, evaluates);
  spec.arguments["guest"] = 3;
  return spec;
}

TEST(GuestAccumulator, GivesSparkTheRowsOfEachGroup) {
  const std::vector<Batch> rows = {BatchOf(kRows, {"[1, 2, 1]", R"(["a", "b", "c"])"}),
                                   BatchOf(kRows, {"[2, 3]", R"(["d", ""])"})};
  const TaskContext context = WithSpark();
  for (const auto& [mode, evaluates] :
       std::vector<std::pair<std::string, bool>>{{"complete", true}, {"partial", false}}) {
    const auto table = Good(RunAggregate(Aggregate(mode, evaluates), rows, context));
    ExpectColumn(*table, 0, "[1, 2, 3]");
    ExpectColumn(*table, 1, R"(["ac", "bd", ""])");
  }
  const auto merged = Good(RunAggregate(Aggregate("final", true), rows, context));
  ExpectColumn(*merged, 1, R"(["ac", "bd", ""])");
}

TEST(GuestAccumulator, MoreGroupsThanItHoldsAreSpilled) {
  std::vector<Batch> rows;
  constexpr int kBatches = 50;
  constexpr int kRowsOfBatch = 1000;
  for (int batch = 0; batch < kBatches; ++batch) {
    std::string keys;
    std::string texts;
    for (int row = 0; row < kRowsOfBatch; ++row) {
      // Each key comes twice, far apart.
      const int key = (batch * kRowsOfBatch + row) % (kBatches * kRowsOfBatch / 2);
      keys += fmt::format("{}{}", row == 0 ? "[" : ", ", key);
      texts += fmt::format(R"({}"{}")", row == 0 ? "[" : ", ", batch < kBatches / 2 ? "a" : "b");
    }
    rows.push_back(BatchOf(kRows, {keys + "]", texts + "]"}));
  }
  const TaskContext context = WithSpark();
  const auto table = Good(RunAggregate(Aggregate("complete", true), rows, context));
  ASSERT_EQ(table->num_rows(), kBatches * kRowsOfBatch / 2);
  const auto column = Good(DecodeDictionary(table->column(1), arrow::default_memory_pool()));
  const auto& texts = static_cast<const arrow::StringArray&>(*column);
  for (int64_t row = 0; row < texts.length(); ++row) ASSERT_EQ(texts.GetView(row), "ab");
  // What merges later may come in pieces.
  const auto pieces = Good(RunAggregate(Aggregate("partial", false), rows, context));
  EXPECT_GT(pieces->num_rows(), table->num_rows());
}

TEST(GuestAccumulator, FailsAsSparkDoes) {
  const TaskContext context = WithSpark();
  const std::vector<Batch> bad = {BatchOf(kRows, {"[1]", R"(["bad"])"})};
  const auto failed = RunAggregate(Aggregate("partial", false), bad, context);
  EXPECT_THAT(failed.status().message(), ::testing::HasSubstr("a bad text"));
  OperatorSpec unknown = Aggregate("partial", false);
  unknown.arguments["guest"] = 4;
  EXPECT_THAT(RunAggregate(unknown, bad, context).status().message(),
              ::testing::HasSubstr("no guest function 6 left"));
  EXPECT_THAT(RunAggregate(Aggregate("partial", false), bad).status().message(),
              ::testing::HasSubstr("there is no Spark here"));
}

}  // namespace
}  // namespace reprise
