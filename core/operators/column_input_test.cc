#include "operators/column_input.h"

#include <gmock/gmock.h>

#include <cstring>

#include "operators/operator_testing.h"
#include "plan/unsafe_row.h"

namespace reprise {
namespace {

using testing::BatchOf;
using testing::Drain;
using testing::ExpectColumn;
using testing::Fields;
using testing::Good;

/// Gives batches, and rows that cannot be copied.
class GivenColumnBatches final : public ColumnSource {
 public:
  explicit GivenColumnBatches(std::vector<Batch> batches) : batches_(std::move(batches)) {}

  /// Row `row` of batch `batch` fails, or where it is below 0 the batch.
  void FailAt(size_t batch, int64_t row) {
    failing_batch_ = batch;
    failing_row_ = row;
  }

  Result<int64_t> Next() override {
    ++position_;
    if (position_ - 1 == failing_batch_ && failing_row_ < 0) return kFailed;
    if (position_ > batches_.size()) return kEnd;
    return here().row_count;
  }

  Result<int64_t> CopyFixed(int column, int64_t first, int64_t count, int width, uint8_t* values,
                            uint8_t* nulls) override {
    if (Fails(first, count)) return kFailed;
    const arrow::ArrayData& data = *here().columns[static_cast<size_t>(column)]->data();
    const arrow::Array& array = *here().columns[static_cast<size_t>(column)];
    int64_t null_count = 0;
    for (int64_t i = 0; i < count; ++i) {
      null_count += array.IsNull(first + i);
      if (array.type_id() == arrow::Type::BOOL) {
        values[i] = static_cast<const arrow::BooleanArray&>(array).Value(first + i);
      } else {
        std::memcpy(values + i * width, data.buffers[1]->data() + (first + i) * width,
                    static_cast<size_t>(width));
      }
    }
    for (int64_t i = 0; i < count && null_count > 0; ++i) nulls[i] = array.IsNull(first + i);
    return null_count;
  }

  Result<int64_t> CopyBytes(int column, int64_t first, int64_t count, uint8_t* values,
                            int64_t capacity, int32_t* lengths) override {
    if (Fails(first, count)) return kFailed;
    const arrow::Array& array = *here().columns[static_cast<size_t>(column)];
    int64_t used = 0;
    for (int64_t i = 0; i < count; ++i) {
      lengths[i] = -1;
      if (array.IsNull(first + i)) continue;
      const std::string bytes = BytesOf(array, first + i);
      if (used + std::ssize(bytes) > capacity) return i > 0 ? i : -std::ssize(bytes);
      std::memcpy(values + used, bytes.data(), bytes.size());
      lengths[i] = static_cast<int32_t>(bytes.size());
      used += std::ssize(bytes);
    }
    return count;
  }

  Status Raise() override { return Status::ExecutionError("row ", failing_row_); }

 private:
  const Batch& here() const { return batches_[position_ - 1]; }

  bool Fails(int64_t first, int64_t count) const {
    return position_ - 1 == failing_batch_ && failing_row_ >= first && failing_row_ < first + count;
  }

  static std::string BytesOf(const arrow::Array& array, int64_t row) {
    if (array.type_id() != arrow::Type::DECIMAL128) {
      return std::string(static_cast<const arrow::BinaryArray&>(array).GetView(row));
    }
    uint8_t bytes[kLongDecimalBytes];
    const auto value = LoadAs<__int128>(array.data()->buffers[1]->data() + row * 16);
    const uint64_t size = StoreBigEndian(value, bytes);
    return std::string(reinterpret_cast<const char*>(bytes), size);
  }

  std::vector<Batch> batches_;
  size_t position_ = 0;
  size_t failing_batch_ = static_cast<size_t>(-1);
  int64_t failing_row_ = 0;
};

std::unique_ptr<Operator> MakeLeaf(const std::vector<Field>& fields,
                                   std::unique_ptr<GivenColumnBatches> source,
                                   const TaskContext& context) {
  OperatorSpec spec{"column_input", "RepriseColumnsToNative", 0, "", "", fields, {}, {}};
  return Good(MakeColumnInput(std::move(spec), std::move(source), context));
}

TEST(ColumnInput, PutsBatchesOfAllTypesTogether) {
  const auto fields = Fields({"flag boolean", "tiny byte", "n integer", "l long", "d decimal(9,2)",
                              "w decimal(38,2)", "s string", "b binary", "v void"});
  auto source = std::make_unique<GivenColumnBatches>(std::vector<Batch>{
      BatchOf(fields, {"[true, false]", "[1, 2]", "[1, null]", "[5, 6]", R"(["1.50", null])",
                       R"(["-1.50", "123456789012345678901234567890.12"])", R"(["a", null])",
                       R"(["", "xyz"])", "[null, null]"}),
      BatchOf(fields, {"[]", "[]", "[]", "[]", "[]", "[]", "[]", "[]", "[]"}),
      BatchOf(fields, {"[null, true, true]", "[3, null, 5]", "[3, 4, 5]", "[7, 8, null]",
                       R"(["0.01", "-0.01", "0.00"])", R"([null, "0.00", "-0.01"])",
                       R"(["", "ü", "long text"])", R"([null, "", "z"])", "[null, null, null]"})});
  const TaskContext context;
  auto op = MakeLeaf(fields, std::move(source), context);
  const auto all = Good(Drain(op.get()));
  EXPECT_EQ(op->metrics().output_batches, 1);
  ExpectColumn(*all, 0, "[true, false, null, true, true]");
  ExpectColumn(*all, 1, "[1, 2, 3, null, 5]");
  ExpectColumn(*all, 2, "[1, null, 3, 4, 5]");
  ExpectColumn(*all, 3, "[5, 6, 7, 8, null]");
  ExpectColumn(*all, 4, R"(["1.50", null, "0.01", "-0.01", "0.00"])");
  ExpectColumn(*all, 5, R"(["-1.50", "123456789012345678901234567890.12", null, "0.00", "-0.01"])");
  ExpectColumn(*all, 6, R"(["a", null, "", "ü", "long text"])");
  ExpectColumn(*all, 7, R"(["", "xyz", null, "", "z"])");
}

TEST(ColumnInput, GivesBatchesOfTheCoresSize) {
  const auto fields = Fields({"n integer"});
  TaskContext context;
  context.batch_rows_target = 2;
  auto op = MakeLeaf(fields,
                     std::make_unique<GivenColumnBatches>(std::vector<Batch>{
                         BatchOf(fields, {"[1, null, 3]"}), BatchOf(fields, {"[4, 5]"})}),
                     context);
  ExpectColumn(*Good(Drain(op.get())), 0, "[1, null, 3, 4, 5]");
  EXPECT_EQ(op->metrics().output_batches, 3);
}

TEST(ColumnInput, ABatchEndsWhereItsBytesAreMany) {
  const auto fields = Fields({"a string", "n long", "b string"});
  TaskContext context;
  context.batch_bytes_target = 64;
  const std::string wide(40, 'x');
  const std::string text = "\"" + wide + "\"";
  auto op = MakeLeaf(
      fields,
      std::make_unique<GivenColumnBatches>(std::vector<Batch>{BatchOf(
          fields, {R"(["a", "b", )" + text + "]", "[1, 2, 3]", "[" + text + R"(, null, "c"])"})}),
      context);
  const auto all = Good(Drain(op.get()));
  ExpectColumn(*all, 0, R"(["a", "b", )" + text + "]");
  ExpectColumn(*all, 1, "[1, 2, 3]");
  ExpectColumn(*all, 2, "[" + text + R"(, null, "c"])");
  EXPECT_GE(op->metrics().output_batches, 2);
}

TEST(ColumnInput, CountsRowsWithoutColumns) {
  const auto fields = Fields({"n integer"});
  const TaskContext context;
  auto op = MakeLeaf({},
                     std::make_unique<GivenColumnBatches>(
                         std::vector<Batch>{BatchOf(fields, {"[1, 2]"}), BatchOf(fields, {"[3]"})}),
                     context);
  EXPECT_EQ(Good(op->Next())->row_count, 3);
}

TEST(ColumnInput, RowsBeforeAnErrorLeaveFirst) {
  const auto fields = Fields({"n integer", "s string"});
  const TaskContext context;
  for (const int64_t failing : {-1, 0, 2, 4}) {
    auto source = std::make_unique<GivenColumnBatches>(
        std::vector<Batch>{BatchOf(fields, {"[1, 2]", R"(["a", "b"])"}),
                           BatchOf(fields, {"[3, 4, 5, 6, 7]", R"(["c", "d", "e", "f", "g"])"})});
    source->FailAt(1, failing);
    auto op = MakeLeaf(fields, std::move(source), context);
    int64_t rows = 0;
    auto next = op->Next();
    for (; next.ok() && next->has_value(); next = op->Next()) rows += (*next)->row_count;
    EXPECT_EQ(rows, 2 + std::max<int64_t>(0, failing)) << failing;
    EXPECT_EQ(next.status().message(), fmt::format("RepriseColumnsToNative: row {}", failing));
  }
}

TEST(ColumnInput, SaysWhatIsWrongWithASpecification) {
  const TaskContext context;
  OperatorSpec spec{
      "column_input", "RepriseColumnsToNative", 0, "", "", {}, {Fields({"a long"})}, {}};
  EXPECT_EQ(MakeColumnInput(std::move(spec), nullptr, context).status().message(),
            "RepriseColumnsToNative: column_input is a leaf, but its spec has 1 inputs");
}

}  // namespace
}  // namespace reprise
