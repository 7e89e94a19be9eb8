// bloom_filter: a Bloom filter of the numbers that are not null, as Spark's BloomFilterAggregate,
// which filters rows of a join's other side while a query runs. Buffer [binary] and result: the
// filter's bytes (expressions/bloom_filter.h). The result is null where no bit is set.
// Example: over 0, null, 42 it is a filter that may contain 0 and 42.
#include <arrow/builder.h>

#include <algorithm>

#include "expressions/bloom_filter.h"
#include "expressions/murmur3_hash.h"
#include "operators/aggregate/accumulator.h"
#include "operators/bytes_values.h"
#include "operators/pool_vector.h"

namespace reprise {

namespace {

std::string TextOf(const BloomFilterShape& shape) {
  return fmt::format("a Bloom filter of version {}, {} words, {} hashes and the seed {}",
                     shape.version, shape.word_count, shape.hash_count, shape.seed);
}

class BloomFilterAccumulator final : public Accumulator {
 public:
  BloomFilterAccumulator(const BloomFilterShape& shape, arrow::MemoryPool* pool)
      : shape_(shape),
        group_bytes_(shape.word_count * int64_t{sizeof(uint64_t)}),
        words_(pool),
        high_(pool),
        low_(pool) {}

  Status Grow(int32_t group_count) override { return words_.Resize(group_count * group_bytes_); }

  Status KeepOnly(int32_t) override {
    return Status::NotImplemented("Bloom filters are not made for running totals");
  }

  Status Update(const GroupRows& rows, std::span<const Column> inputs) override {
    const arrow::Array& numbers = *inputs[0].array;
    RETURN_NOT_OK(high_.ResizeUninitialised(rows.row_count));
    std::fill_n(high_.data(), rows.row_count, shape_.seed);
    const auto count = static_cast<size_t>(rows.row_count);
    RETURN_NOT_OK(AddMurmur3(numbers, nullptr, {high_.data(), count}));
    RETURN_NOT_OK(low_.ResizeUninitialised(rows.row_count));
    std::copy_n(high_.data(), rows.row_count, low_.data());
    RETURN_NOT_OK(AddMurmur3(numbers, nullptr, {low_.data(), count}));
    const Validity valid(numbers);
    for (int64_t row = 0; row < rows.row_count; ++row) {
      if (!valid[row]) continue;
      uint8_t* const words = WordsOf(rows, row);
      VisitBloomBits(shape_, high_[row], low_[row], [&](int64_t byte, uint8_t mask) {
        words[byte] |= mask;
        return true;
      });
    }
    return Status::OK();
  }

  Status Merge(const GroupRows& rows, const arrow::ArrayVector& buffers) override {
    const Validity valid(*buffers[0]);
    const BytesValues values(*buffers[0]);
    for (int64_t row = 0; row < rows.row_count; ++row) {
      if (!valid[row]) continue;
      ARROW_ASSIGN_OR_RAISE(const BloomFilter filter, BloomFilter::Read(values[row]));
      if (filter.shape() != shape_) {
        return Status::Invalid(TextOf(filter.shape()), " cannot be merged into ", TextOf(shape_));
      }
      uint8_t* const words = WordsOf(rows, row);
      for (int64_t i = 0; i < group_bytes_; ++i) {
        words[i] |= static_cast<uint8_t>(filter.words()[static_cast<size_t>(i)]);
      }
    }
    return Status::OK();
  }

  int64_t StringBytes(int32_t begin, int32_t end) const override {
    return (end - begin) * shape_.bytes();
  }

  Result<arrow::ArrayVector> Buffers(int32_t begin, int32_t end,
                                     arrow::MemoryPool* pool) const override {
    ARROW_ASSIGN_OR_RAISE(auto filters, Filters(
                                            begin, end, [](int32_t) { return true; }, pool));
    return arrow::ArrayVector{std::move(filters)};
  }

  Result<std::shared_ptr<arrow::Array>> Results(int32_t begin, int32_t end,
                                                arrow::MemoryPool* pool) const override {
    const auto has_bit = [&](int32_t group) {
      const uint8_t* const words = words_.data() + group * group_bytes_;
      return std::any_of(words, words + group_bytes_, [](uint8_t byte) { return byte != 0; });
    };
    return Filters(begin, end, has_bit, pool);
  }

 private:
  uint8_t* WordsOf(const GroupRows& rows, int64_t row) {
    return words_.data() + (rows.groups == nullptr ? 0 : rows.groups[row]) * group_bytes_;
  }

  template <typename IsValid>
  Result<std::shared_ptr<arrow::Array>> Filters(int32_t begin, int32_t end, IsValid&& is_valid,
                                                arrow::MemoryPool* pool) const {
    arrow::BinaryBuilder filters(pool);
    RETURN_NOT_OK(filters.Reserve(end - begin));
    RETURN_NOT_OK(filters.ReserveData(StringBytes(begin, end)));
    std::vector<uint8_t> head(static_cast<size_t>(shape_.head_bytes()));
    shape_.WriteHead(head.data());
    for (int32_t group = begin; group < end; ++group) {
      if (!is_valid(group)) {
        filters.UnsafeAppendNull();
        continue;
      }
      filters.UnsafeAppend(head.data(), static_cast<int32_t>(head.size()));
      RETURN_NOT_OK(filters.ExtendCurrent(words_.data() + group * group_bytes_,
                                          static_cast<int32_t>(group_bytes_)));
    }
    return filters.Finish();
  }

  const BloomFilterShape shape_;
  const int64_t group_bytes_;  // of the words
  PoolVector<uint8_t> words_;  // of all groups
  PoolVector<int32_t> high_;   // hashes of a batch's numbers
  PoolVector<int32_t> low_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeBloomFilter(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  return std::make_unique<BloomFilterAccumulator>(*spec.bloom_filter, pool);
}

}  // namespace reprise
