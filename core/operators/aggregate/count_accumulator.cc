// count: rows for which all arguments are non-null (Spark's Count). Buffer [count long].
// Example: count(a, b) over (1, null), (2, 3), (null, null) is 1; count(1) over them is 3.
#include "operators/aggregate/accumulator.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

class CountAccumulator final : public Accumulator {
 public:
  explicit CountAccumulator(arrow::MemoryPool* pool) : counts_(pool) {}

  Status Grow(int32_t group_count) override { return counts_.Resize(group_count); }

  Status KeepOnly(int32_t group) override {
    counts_[0] = counts_[group];
    return counts_.Resize(1);
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    std::vector<Validity> nullable;  // of the arguments that have nulls in this batch
    for (const Column& input : inputs) {
      if (IsAllNull(input)) return CarryAll(rows);
      if (input.is_scalar()) continue;
      if (const Validity valid(*input.array); !valid.all()) nullable.push_back(valid);
    }
    if (nullable.empty()) {
      CountAll(rows);
    } else if (nullable.size() == 1) {
      ForEachValid(rows, nullable[0], counts_.data(), [](int64_t& count, int64_t) { ++count; });
    } else {
      CountValid(rows, nullable);
    }
    return Status::OK();
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    const FixedValues<int64_t> counts(*buffers[0]);
    ForEachValid(rows, Validity(*buffers[0]), counts_.data(),
                 [&](int64_t& count, int64_t row) { count += counts[row]; });
    return Status::OK();
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto counts, Results(begin, end, pool));
    return arrow::ArrayVector{std::move(counts)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    return MakeFixedColumn<int64_t>(
        DataType{TypeKind::kLong}, end - begin, pool, [](int64_t) { return true; },
        [&](int64_t i) { return counts_[begin + i]; });
  }

 private:
  static bool IsAllNull(const Column& input) {
    return input.is_scalar() ? !input.scalar->is_valid : input.array->type_id() == arrow::Type::NA;
  }

  /// As if no row counted.
  Status CarryAll(const GroupRows& rows) {
    for (int64_t row = 0; rows.carried != nullptr && row < rows.row_count; ++row) {
      if (rows.Carries(row)) counts_[rows.groups[row]] = counts_[rows.groups[row] - 1];
    }
    return Status::OK();
  }

  void CountAll(const GroupRows& rows) {
    if (rows.groups == nullptr) {
      counts_[0] += rows.row_count;
      return;
    }
    int64_t* counts = counts_.data();
    for (int64_t row = 0; row < rows.row_count; ++row) {
      if (rows.Carries(row)) counts[rows.groups[row]] = counts[rows.groups[row] - 1];
      ++counts[rows.groups[row]];
    }
  }

  void CountValid(const GroupRows& rows, const std::vector<Validity>& nullable) {
    for (int64_t row = 0; row < rows.row_count; ++row) {
      bool counts = true;
      for (const Validity& valid : nullable) counts &= valid[row];
      const int32_t group = rows.groups == nullptr ? 0 : rows.groups[row];
      if (rows.Carries(row)) counts_[group] = counts_[group - 1];
      counts_[group] += counts;
    }
  }

  PoolVector<int64_t> counts_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeCount(const AggregateSpec&, arrow::MemoryPool* pool) {
  return std::make_unique<CountAccumulator>(pool);
}

}  // namespace reprise
