// might_contain: whether a Bloom filter of Spark's may hold a number (BloomFilterMightContain).
//
// Arguments: binary, the filter as org.apache.spark.util.sketch.BloomFilter writes it, one for all
// rows; long. Result: boolean, null where either is null.
//
// The bytes, numbers big-endian: int version, int count of hashes, in version 2 int seed, int count
// of words, the words. The filter is not copied: a bit is looked up where it lies.
#include <arrow/util/bit_util.h>

#include <limits>
#include <vector>

#include "expressions/functions.h"
#include "expressions/murmur3_hash.h"
#include "expressions/values.h"

namespace reprise {

namespace {

int32_t BigEndianInt(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < sizeof(value); ++i) {
    value = (value << 8) | static_cast<uint8_t>(bytes[at + i]);
  }
  return static_cast<int32_t>(value);
}

class BloomFilter {
 public:
  static Result<BloomFilter> Read(std::string_view bytes) {
    constexpr size_t kInt = sizeof(int32_t);
    BloomFilter filter;
    filter.version_ = bytes.size() < kInt ? 0 : BigEndianInt(bytes, 0);
    const size_t head = (filter.version_ == 2 ? 4 : 3) * kInt;
    const bool is_known = filter.version_ == 1 || filter.version_ == 2;
    if (!is_known || bytes.size() < head) {
      return Status::Invalid("a Bloom filter of ", bytes.size(), " bytes and version ",
                             filter.version_, ", expected version 1 or 2");
    }
    filter.hash_count_ = BigEndianInt(bytes, kInt);
    if (filter.version_ == 2) filter.seed_ = BigEndianInt(bytes, 2 * kInt);
    const int64_t words = BigEndianInt(bytes, head - kInt);
    filter.words_ = bytes.substr(head);
    if (words <= 0 || filter.words_.size() != static_cast<size_t>(words) * sizeof(uint64_t)) {
      return Status::Invalid("a Bloom filter of ", words, " words in ", filter.words_.size(),
                             " bytes");
    }
    filter.bit_count_ = words * 64;
    return filter;
  }

  int32_t seed() const { return seed_; }

  /// `high` is the number's hash with the seed, `low` its hash with `high` as the seed.
  bool Holds(int32_t high, int32_t low) const {
    return version_ == 1 ? HoldsByInts(high, low) : HoldsByLongs(high, low);
  }

 private:
  bool HoldsByInts(int32_t high, int32_t low) const {
    auto hash = static_cast<uint32_t>(high);
    for (int32_t i = 0; i < hash_count_; ++i) {
      hash += static_cast<uint32_t>(low);
      const auto combined = static_cast<int32_t>(hash);
      if (!Bit((combined < 0 ? ~combined : combined) % bit_count_)) return false;
    }
    return true;
  }

  bool HoldsByLongs(int32_t high, int32_t low) const {
    auto hash = static_cast<uint64_t>(int64_t{high} * std::numeric_limits<int32_t>::max());
    for (int32_t i = 0; i < hash_count_; ++i) {
      hash += static_cast<uint64_t>(int64_t{low});
      const auto combined = static_cast<int64_t>(hash);
      if (!Bit((combined < 0 ? ~combined : combined) % bit_count_)) return false;
    }
    return true;
  }

  /// The last byte of a word has its lowest bits.
  bool Bit(int64_t index) const {
    const auto byte = static_cast<size_t>((index / 64) * 8 + 7 - (index % 64) / 8);
    return ((static_cast<uint8_t>(words_[byte]) >> (index % 8)) & 1) != 0;
  }

  int32_t version_ = 0;
  int32_t hash_count_ = 0;
  int32_t seed_ = 0;
  int64_t bit_count_ = 0;
  std::string_view words_;
};

class MightContain final : public Expression {
 public:
  explicit MightContain(FunctionCall call)
      : Expression(call.spec.type, call.arguments[0]->can_fail() || call.arguments[1]->can_fail()),
        filter_(std::move(call.arguments[0])),
        value_(std::move(call.arguments[1])) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    ARROW_ASSIGN_OR_RAISE(const Column bytes, filter_->Evaluate(input));
    if (!bytes.is_scalar()) return Status::Invalid("its Bloom filter is no constant");
    if (!bytes.scalar->is_valid) {
      return Column{nullptr, arrow::MakeNullScalar(arrow::boolean())};
    }
    ARROW_ASSIGN_OR_RAISE(const BloomFilter filter, BloomFilter::Read(StringOf(*bytes.scalar)));
    ARROW_ASSIGN_OR_RAISE(const auto values, EvaluateToArray(*value_, input));
    const int64_t rows = values->length();
    std::vector<int32_t> high(static_cast<size_t>(rows), filter.seed());
    RETURN_NOT_OK(AddMurmur3(*values, nullptr, high));
    std::vector<int32_t> low = high;
    RETURN_NOT_OK(AddMurmur3(*values, nullptr, low));
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateEmptyBitmap(rows, input.pool()));
    ARROW_ASSIGN_OR_RAISE(auto validity, arrow::AllocateEmptyBitmap(rows, input.pool()));
    for (int64_t row = 0; row < rows; ++row) {
      if (values->IsNull(row)) continue;
      arrow::bit_util::SetBit(validity->mutable_data(), row);
      const auto place = static_cast<size_t>(row);
      if (filter.Holds(high[place], low[place])) {
        arrow::bit_util::SetBit(bits->mutable_data(), row);
      }
    }
    return Column{std::make_shared<arrow::BooleanArray>(rows, std::move(bits), std::move(validity)),
                  nullptr};
  }

 private:
  std::unique_ptr<Expression> filter_;
  std::unique_ptr<Expression> value_;
};

}  // namespace

MadeExpression MakeMightContain(FunctionCall call) {
  return std::make_unique<MightContain>(std::move(call));
}

}  // namespace reprise
