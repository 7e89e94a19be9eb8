#include "exchange/partitioning.h"

#include <algorithm>

#include "expressions/expression.h"
#include "expressions/hashed_expression.h"
#include "expressions/murmur3_hash.h"

namespace reprise {

namespace {

class SinglePartitioning final : public Partitioning {
 public:
  SinglePartitioning() : Partitioning(1) {}
  Status Assign(const Batch&, arrow::MemoryPool*, std::span<int32_t> partitions) override {
    std::ranges::fill(partitions, 0);
    return Status::OK();
  }
};

/// Remainders by a number that is known beforehand, by multiplication (Lemire, "Faster remainder by
/// direct computation").
class FastModulo {
 public:
  explicit FastModulo(uint32_t divisor)
      : divisor_(divisor),
        inverse_(~uint64_t{0} / divisor + 1),
        // What 2^32 leaves: a negative number is itself plus 2^32 when read as unsigned.
        of_negative_(divisor - static_cast<uint32_t>((uint64_t{1} << 32) % divisor)) {}

  /// Spark's pmod: from 0 to divisor - 1 for negative values too.
  int32_t Of(int32_t value) const {
    const uint32_t rest = OfUnsigned(static_cast<uint32_t>(value));
    if (value >= 0) return static_cast<int32_t>(rest);
    const uint32_t moved = rest + of_negative_;
    return static_cast<int32_t>(moved >= divisor_ ? moved - divisor_ : moved);
  }

 private:
  uint32_t OfUnsigned(uint32_t value) const {
    if (divisor_ == 1) return 0;
    const uint64_t low = inverse_ * value;
    return static_cast<uint32_t>((static_cast<unsigned __int128>(low) * divisor_) >> 64);
  }

  uint32_t divisor_;
  uint64_t inverse_;
  uint32_t of_negative_;
};

class HashPartitioning final : public Partitioning {
 public:
  HashPartitioning(int partition_count, std::vector<std::unique_ptr<Expression>> expressions)
      : Partitioning(partition_count),
        modulo_(static_cast<uint32_t>(partition_count)),
        expressions_(HashedExpressions(std::move(expressions))) {}

  Status Assign(const Batch& batch, arrow::MemoryPool* pool,
                std::span<int32_t> partitions) override {
    std::ranges::fill(partitions, kMurmur3Seed);
    EvalInput input(batch, pool);
    for (const HashedExpression& hashed : expressions_) {
      ARROW_ASSIGN_OR_RAISE(const auto values, EvaluateToArray(*hashed.expression, input));
      RETURN_NOT_OK(AddMurmur3(*values, hashed.nested_type(), partitions));
    }
    for (int32_t& partition : partitions) partition = modulo_.Of(partition);
    return Status::OK();
  }

 private:
  FastModulo modulo_;
  std::vector<HashedExpression> expressions_;
};

/// The first number of Spark's XORShiftRandom(seed).nextInt(bound): java.util.Random's nextInt over
/// 31 bits of a xorshift generator whose seed is hashed with MurmurHash3 of Scala.
class XorShiftRandom {
 public:
  explicit XorShiftRandom(int64_t seed) : seed_(HashSeed(seed)) {}

  int32_t NextInt(int32_t bound) {
    int32_t bits = Next(31);
    const int32_t mask = bound - 1;
    if ((bound & mask) == 0) {
      return static_cast<int32_t>((static_cast<int64_t>(bound) * bits) >> 31);
    }
    int32_t value = bits % bound;
    // As Java's: numbers above the last multiple of `bound` would favour some.
    while (static_cast<int64_t>(bits) - value + mask > INT32_MAX) {
      bits = Next(31);
      value = bits % bound;
    }
    return value;
  }

 private:
  int32_t Next(int bits) {
    uint64_t next = static_cast<uint64_t>(seed_) ^ (static_cast<uint64_t>(seed_) << 21);
    next ^= next >> 35;
    next ^= next << 4;
    seed_ = static_cast<int64_t>(next);
    return static_cast<int32_t>(next & ((uint64_t{1} << bits) - 1));
  }

  static uint32_t Mix(uint32_t hash, uint32_t data) {
    uint32_t key = data * 0xcc9e2d51u;
    key = ((key << 15) | (key >> 17)) * 0x1b873593u;
    hash ^= key;
    hash = (hash << 13) | (hash >> 19);
    return hash * 5 + 0xe6546b64u;
  }

  static int32_t HashBytes(const uint8_t (&bytes)[8], uint32_t seed) {
    uint32_t hash = seed;
    for (int i = 0; i < 8; i += 4) {
      hash = Mix(hash, bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 |
                           static_cast<uint32_t>(bytes[i + 3]) << 24);
    }
    hash ^= 8;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    return static_cast<int32_t>(hash ^ (hash >> 16));
  }

  static int64_t HashSeed(int64_t seed) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(seed >> (56 - 8 * i));
    const int32_t low = HashBytes(bytes, 0x3c074a61);
    const int32_t high = HashBytes(bytes, static_cast<uint32_t>(low));
    return (static_cast<int64_t>(high) << 32) | (static_cast<int64_t>(low) & 0xFFFFFFFFL);
  }

  int64_t seed_;
};

class RoundRobinPartitioning final : public Partitioning {
 public:
  RoundRobinPartitioning(int partition_count, int task_partition)
      : Partitioning(partition_count),
        next_(XorShiftRandom(task_partition).NextInt(partition_count)) {}

  Status Assign(const Batch&, arrow::MemoryPool*, std::span<int32_t> partitions) override {
    for (int32_t& partition : partitions) {
      // Spark counts before it gives a row its partition.
      next_ = next_ + 1 == partition_count() ? 0 : next_ + 1;
      partition = next_;
    }
    return Status::OK();
  }

 private:
  int32_t next_;
};

Result<std::unique_ptr<Partitioning>> MakeHashPartitioning(const nlohmann::json& json,
                                                           const std::vector<Field>& input,
                                                           int partition_count) {
  const auto list = json.find("expressions");
  if (list == json.end() || !list->is_array()) {
    return Status::Invalid("\"expressions\" must be an array");
  }
  std::vector<std::unique_ptr<Expression>> expressions;
  for (const auto& item : *list) {
    auto spec = ExpressionSpecFromJson(item);
    auto made = spec.ok() ? MakeExpression(*spec, input) : spec.status();
    if (!made.ok()) {
      return WithPrefix(made.status(),
                        fmt::format("expression {} of \"expressions\": ", expressions.size()));
    }
    expressions.push_back(std::move(*made));
  }
  return std::make_unique<HashPartitioning>(partition_count, std::move(expressions));
}

Result<std::unique_ptr<Partitioning>> Make(const nlohmann::json& json,
                                           const std::vector<Field>& input, int partition_count,
                                           int task_partition) {
  const auto type = json.is_object() ? json.find("type") : json.end();
  if (!json.is_object() || type == json.end() || !type->is_string()) {
    return Status::Invalid("it has no \"type\"");
  }
  const auto& name = type->get_ref<const std::string&>();
  if (name == "single") return std::make_unique<SinglePartitioning>();
  if (name == "range") return MakeRangePartitioning(json, input);
  if (partition_count < 1) {
    return Status::Invalid("\"numPartitions\" is ", partition_count, "; expected at least 1");
  }
  if (name == "hash") return MakeHashPartitioning(json, input, partition_count);
  if (name == "round_robin") {
    return std::make_unique<RoundRobinPartitioning>(partition_count, task_partition);
  }
  return Status::Invalid("there is no partitioning \"", name,
                         "\"; expected hash, range, round_robin or single");
}

}  // namespace

Result<std::unique_ptr<Partitioning>> MakePartitioning(const nlohmann::json& json,
                                                       const std::vector<Field>& input,
                                                       int partition_count, int task_partition) {
  auto made = Make(json, input, partition_count, task_partition);
  if (!made.ok()) return WithPrefix(made.status(), "\"partitioning\": ");
  return made;
}

}  // namespace reprise
