// row_number, rank, dense_rank, percent_rank, cume_dist and ntile, as Spark's functions of these
// names. Example: of the keys 1, 1, 2 in one partition they are 1, 2, 3; 1, 1, 3; 1, 1, 2; 0, 0, 1;
// 2/3, 2/3, 1; and ntile(2) is 1, 1, 2.
#include "operators/fixed_values.h"
#include "operators/window/window_function.h"

namespace reprise {

namespace {

/// Calls set(row, partition's begin, partition's end, peers' begin, peers' end, number of the peers
/// in the partition from 0) for the first `wanted` rows.
template <typename Set>
void ForEachRanked(const WindowRows& rows, int32_t wanted, const Set& set) {
  size_t peer = 0;
  for (size_t i = 0; i + 1 < rows.partitions.size(); ++i) {
    const int32_t begin = rows.partitions[i];
    const int32_t end = rows.partitions[i + 1];
    for (int64_t number = 0; rows.peers[peer] < end; ++peer, ++number) {
      const int32_t peers_end = rows.peers[peer + 1];
      for (int32_t row = rows.peers[peer]; row < peers_end; ++row) {
        if (row == wanted) return;
        set(row, begin, end, rows.peers[peer], peers_end, number);
      }
    }
  }
}

/// The bucket, from 1, of a row, of `rows` in so many buckets: those in front have one row more.
int64_t BucketOf(int64_t row, int64_t rows, int64_t buckets) {
  const int64_t size = rows / buckets;
  const int64_t larger = rows % buckets;
  const int64_t in_larger = larger * (size + 1);
  return row < in_larger ? row / (size + 1) + 1 : larger + (row - in_larger) / size + 1;
}

class Ranking final : public WindowFunctionRun {
 public:
  explicit Ranking(const WindowFunctionSpec& spec)
      : function_(spec.function), type_(spec.result), buckets_(spec.number) {}

  bool is_running() const override {
    return function_ == WindowFunction::kRowNumber || function_ == WindowFunction::kRank ||
           function_ == WindowFunction::kDenseRank;
  }

  Result<std::shared_ptr<arrow::Array>> Compute(const WindowRows& rows,
                                                const arrow::ArrayVector& /*inputs*/,
                                                int32_t wanted,
                                                const TaskContext& context) override {
    return type_.is(TypeKind::kDouble) ? Shares(rows, wanted, context.pool)
                                       : Numbers(rows, wanted, context.pool);
  }

 private:
  Result<std::shared_ptr<arrow::Array>> Numbers(const WindowRows& rows, int32_t wanted,
                                                arrow::MemoryPool* pool) const {
    PoolVector<int32_t> numbers(pool);
    RETURN_NOT_OK(numbers.ResizeUninitialised(wanted));
    ForEachRanked(rows, wanted,
                  [&](int32_t row, int32_t begin, int32_t end, int32_t peers, int32_t, int64_t of) {
                    const bool first = begin == 0;
                    const int64_t before = first ? rows.rows_before : 0;
                    int64_t number = 0;
                    if (function_ == WindowFunction::kRowNumber) {
                      number = before + row - begin + 1;
                    } else if (function_ == WindowFunction::kRank) {
                      number = before + peers - begin + 1;
                    } else if (function_ == WindowFunction::kDenseRank) {
                      number = (first ? rows.peers_before : 0) + of + 1;
                    } else {
                      number = BucketOf(row - begin, end - begin, buckets_);
                    }
                    numbers[row] = static_cast<int32_t>(number);
                  });
    return MakeFixedColumn<int32_t>(
        type_, wanted, pool, [](int64_t) { return true; },
        [&](int64_t row) { return numbers[row]; });
  }

  Result<std::shared_ptr<arrow::Array>> Shares(const WindowRows& rows, int32_t wanted,
                                               arrow::MemoryPool* pool) const {
    PoolVector<double> shares(pool);
    RETURN_NOT_OK(shares.ResizeUninitialised(wanted));
    ForEachRanked(
        rows, wanted,
        [&](int32_t row, int32_t begin, int32_t end, int32_t peers, int32_t peers_end, int64_t) {
          const double count = end - begin;
          if (function_ == WindowFunction::kCumeDist) {
            shares[row] = static_cast<double>(peers_end - begin) / count;
          } else {
            shares[row] = count > 1 ? static_cast<double>(peers - begin) / (count - 1) : 0.0;
          }
        });
    return MakeFixedColumn<double>(
        type_, wanted, pool, [](int64_t) { return true; },
        [&](int64_t row) { return shares[row]; });
  }

  const WindowFunction function_;
  const DataType type_;
  const int64_t buckets_;
};

}  // namespace

std::unique_ptr<WindowFunctionRun> MakeRanking(const WindowFunctionSpec& spec) {
  return std::make_unique<Ranking>(spec);
}

}  // namespace reprise
