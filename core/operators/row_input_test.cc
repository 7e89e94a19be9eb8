#include "operators/row_input.h"

#include <arrow/array/array_primitive.h>

#include "transitions/spark_rows.h"

namespace reprise {
namespace {

// Gives rows of one long each, and in `large_at` one row of 3 million bytes; at most
// `rows_per_fill` a call.
class FakeSource : public RowSource {
 public:
  FakeSource(int64_t row_count, int32_t rows_per_fill, int64_t large_at = -1)
      : row_count_(row_count), rows_per_fill_(rows_per_fill), large_at_(large_at) {}

  Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths,
                      int32_t rows_max) override {
    int32_t filled = 0;
    while (filled < std::min(rows_max, rows_per_fill_) && next_ < row_count_) {
      const int32_t length = next_ == large_at_ ? 3'000'000 : 24;
      if (length > capacity) return filled ? Filled{filled, 0} : Filled{0, length};
      std::memset(rows, 0, length);
      std::memcpy(rows + 8, &next_, sizeof(next_));
      const uint64_t word = (uint64_t{24} << 32) | static_cast<uint64_t>(length - 24);
      std::memcpy(rows + 16, &word, sizeof(word));
      lengths[filled++] = length;
      rows += length;
      capacity -= length;
      ++next_;
    }
    return Filled{filled, 0};
  }

 private:
  int64_t row_count_;
  int32_t rows_per_fill_;
  int64_t large_at_;
  int64_t next_ = 0;
};

OperatorSpec RowInputSpec(const std::vector<std::string>& types) {
  OperatorSpec spec;
  spec.kind = "row_input";
  spec.name = "RepriseRowToNative";
  spec.output = FieldsOf(types);
  return spec;
}

// The numbers that came, and after each batch -1.
std::vector<int64_t> ReadAll(Operator& op) {
  std::vector<int64_t> numbers;
  while (true) {
    const auto batch = op.Next().ValueOrDie();
    if (!batch) return numbers;
    const auto& column = static_cast<const arrow::Int64Array&>(*batch->columns[0]);
    for (int64_t i = 0; i < column.length(); ++i) numbers.push_back(column.Value(i));
    numbers.push_back(-1);
  }
}

TEST(RowInput, FillsBatchesUpToTheirTarget) {
  TaskContext context;
  context.batch_rows_target = 3;
  auto op =
      MakeRowInput(RowInputSpec({"long", "string"}), std::make_unique<FakeSource>(7, 2), context)
          .ValueOrDie();
  EXPECT_EQ(ReadAll(*op), (std::vector<int64_t>{0, 1, 2, -1, 3, 4, 5, -1, 6, -1}));
  EXPECT_EQ(op->metrics().output_rows, 7);
  EXPECT_EQ(op->metrics().output_batches, 3);
}

TEST(RowInput, EndsAtOnceWithoutRows) {
  TaskContext context;
  auto op =
      MakeRowInput(RowInputSpec({"long", "string"}), std::make_unique<FakeSource>(0, 2), context)
          .ValueOrDie();
  EXPECT_TRUE(ReadAll(*op).empty());
}

TEST(RowInput, MakesRoomForALargeRow) {
  TaskContext context;
  auto op = MakeRowInput(RowInputSpec({"long", "binary"}), std::make_unique<FakeSource>(5, 100, 3),
                         context)
                .ValueOrDie();
  const auto batch = op->Next().ValueOrDie();
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->row_count, 5);
  const auto& column = static_cast<const arrow::BinaryArray&>(*batch->columns[1]);
  EXPECT_EQ(column.value_length(3), 3'000'000 - 24);
  EXPECT_EQ(column.value_length(4), 0);
}

TEST(RowInput, EndsABatchEarlyWhereRowsAreLarge) {
  class LargeRows : public RowSource {
   public:
    Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths, int32_t) override {
      constexpr int32_t kLength = 20 << 20;
      if (given_ == 5) return Filled{};
      if (capacity < kLength) return Filled{0, kLength};
      std::memset(rows, 0, kLength);
      lengths[0] = kLength;
      ++given_;
      return Filled{1, 0};
    }

   private:
    int given_ = 0;
  };
  TaskContext context;
  context.batch_bytes_target = 64 << 20;
  auto op =
      MakeRowInput(RowInputSpec({"long"}), std::make_unique<LargeRows>(), context).ValueOrDie();
  EXPECT_EQ(ReadAll(*op), (std::vector<int64_t>{0, 0, 0, -1, 0, 0, -1}));
}

TEST(RowInput, DoesNotCountTheSourcesTimeAsItsOwn) {
  class SlowSource : public FakeSource {
   public:
    SlowSource() : FakeSource(2, 1) {}
    Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths, int32_t max) override {
      const timespec pause = {0, 50'000'000};
      nanosleep(&pause, nullptr);
      return FakeSource::Fill(rows, capacity, lengths, max);
    }
  };
  TaskContext context;
  auto op = MakeRowInput(RowInputSpec({"long", "string"}), std::make_unique<SlowSource>(), context)
                .ValueOrDie();
  EXPECT_EQ(ReadAll(*op).size(), 3u);
  EXPECT_GE(op->metrics().own_time_ns, 0);
  EXPECT_LT(op->metrics().own_time_ns, 100'000'000);
}

TEST(RowInput, HandsOnTheSourcesError) {
  class FailingSource : public RowSource {
   public:
    Result<Filled> Fill(uint8_t*, int64_t, int32_t*, int32_t) override {
      return Status::ExecutionError("the rows' iterator failed");
    }
  };
  TaskContext context;
  auto op =
      MakeRowInput(RowInputSpec({"long"}), std::make_unique<FailingSource>(), context).ValueOrDie();
  const auto batch = op->Next();
  EXPECT_TRUE(batch.status().IsExecutionError());
  EXPECT_EQ(batch.status().message(), "RepriseRowToNative: the rows' iterator failed");
}

TEST(RowInput, GivesTheRowsBeforeAnError) {
  class FailingSource : public FakeSource {
   public:
    FailingSource() : FakeSource(3, 1) {}
    Result<Filled> Fill(uint8_t* rows, int64_t capacity, int32_t* lengths, int32_t max) override {
      ARROW_ASSIGN_OR_RAISE(const Filled filled, FakeSource::Fill(rows, capacity, lengths, max));
      if (filled.rows > 0) return filled;
      if (std::exchange(is_announced_, true)) return Status::ExecutionError("row 3 failed");
      return Filled{0, 0, /*fails_next=*/true};
    }

   private:
    bool is_announced_ = false;
  };
  TaskContext context;
  auto op =
      MakeRowInput(RowInputSpec({"long", "string"}), std::make_unique<FailingSource>(), context)
          .ValueOrDie();
  EXPECT_EQ(op->Next().ValueOrDie()->row_count, 3);
  EXPECT_EQ(op->Next().status().message(), "RepriseRowToNative: row 3 failed");
}

TEST(RowInput, RefusesASourceThatReportsMoreThanItWasAskedFor) {
  class WrongSource : public RowSource {
   public:
    Result<Filled> Fill(uint8_t*, int64_t, int32_t* lengths, int32_t rows_max) override {
      lengths[0] = 1 << 30;
      return Filled{wrong_rows_ ? rows_max + 1 : 1, 0};
    }
    bool wrong_rows_ = false;
  };
  TaskContext context;
  context.batch_rows_target = 4;
  auto source = std::make_unique<WrongSource>();
  auto op = MakeRowInput(RowInputSpec({"long"}), std::move(source), context).ValueOrDie();
  EXPECT_EQ(op->Next().status().message(),
            "RepriseRowToNative: row 0 has 1073741824 bytes where 262144 were left to write to");
  source = std::make_unique<WrongSource>();
  source->wrong_rows_ = true;
  op = MakeRowInput(RowInputSpec({"long"}), std::move(source), context).ValueOrDie();
  EXPECT_EQ(op->Next().status().message(),
            "RepriseRowToNative: the row source reports 5 rows and 0 bytes needed where 4 rows "
            "were asked for");
}

TEST(RowInput, RefusesInputs) {
  TaskContext context;
  OperatorSpec spec = RowInputSpec({"long"});
  spec.inputs.push_back(spec.output);
  EXPECT_EQ(MakeRowInput(spec, std::make_unique<FakeSource>(0, 1), context).status().message(),
            "RepriseRowToNative: row_input is a leaf, but its spec has 1 inputs");
}

}  // namespace
}  // namespace reprise
