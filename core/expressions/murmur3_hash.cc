// murmur3_hash: Spark's Murmur3Hash (HashExpression.scala, Murmur3_x86_32.java).
//
// Arguments: any, chained: each one's hash is the seed of the next. Attribute "seed": the first
// seed. Result: int, never null. Example: murmur3_hash(1) with seed 42 is -559580957.
#include "expressions/murmur3_hash.h"

#include <algorithm>
#include <cstring>

#include "expressions/functions.h"
#include "expressions/hashed_expression.h"
#include "expressions/row_hashes.h"

namespace reprise {

namespace {

uint32_t RotateLeft(uint32_t value, int bits) { return (value << bits) | (value >> (32 - bits)); }

uint32_t MixKey(uint32_t key) { return RotateLeft(key * 0xcc9e2d51u, 15) * 0x1b873593u; }

uint32_t MixHash(uint32_t hash, uint32_t key) {
  return RotateLeft(hash ^ key, 13) * 5 + 0xe6546b64u;
}

uint32_t Finish(uint32_t hash, uint32_t length) {
  hash ^= length;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  return hash ^ (hash >> 16);
}

struct Murmur3Algorithm {
  using Hash = uint32_t;

  static uint32_t Int(uint32_t value, uint32_t seed) {
    return Finish(MixHash(seed, MixKey(value)), 4);
  }

  static uint32_t Long(uint64_t value, uint32_t seed) {
    const uint32_t low = MixHash(seed, MixKey(static_cast<uint32_t>(value)));
    return Finish(MixHash(low, MixKey(static_cast<uint32_t>(value >> 32))), 8);
  }

  // Spark's own: the bytes that fill no word are mixed in one by one, each as a signed int.
  static uint32_t Bytes(std::string_view bytes, uint32_t seed) {
    uint32_t hash = seed;
    size_t i = 0;
    for (; i + 4 <= bytes.size(); i += 4) {
      uint32_t word;
      std::memcpy(&word, bytes.data() + i, sizeof(word));
      hash = MixHash(hash, MixKey(word));
    }
    for (; i < bytes.size(); ++i) {
      hash = MixHash(hash, MixKey(static_cast<uint32_t>(static_cast<int8_t>(bytes[i]))));
    }
    return Finish(hash, static_cast<uint32_t>(bytes.size()));
  }
};

class Murmur3 final : public Expression {
 public:
  Murmur3(DataType type, std::vector<std::unique_ptr<Expression>> arguments, int32_t seed,
          bool can_fail)
      : Expression(std::move(type), can_fail),
        arguments_(HashedExpressions(std::move(arguments))),
        seed_(seed) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t rows = input.row_count();
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(4 * rows, input.pool()));
    const std::span<int32_t> hashes(reinterpret_cast<int32_t*>(buffer->mutable_data()),
                                    static_cast<size_t>(rows));
    std::ranges::fill(hashes, seed_);
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(const auto values, EvaluateToArray(*argument.expression, input));
      RETURN_NOT_OK(AddMurmur3(*values, argument.nested_type(), hashes));
    }
    return Column{std::make_shared<arrow::Int32Array>(rows, std::move(buffer)), nullptr};
  }

 private:
  std::vector<HashedExpression> arguments_;
  int32_t seed_;
};

}  // namespace

Status AddMurmur3(const arrow::Array& column, const NestedType* nested, std::span<int32_t> hashes) {
  return RowHashes<Murmur3Algorithm>::Add(
      column, nested, {reinterpret_cast<uint32_t*>(hashes.data()), hashes.size()});
}

int32_t Murmur3OfBytes(std::string_view bytes, int32_t seed) {
  return static_cast<int32_t>(Murmur3Algorithm::Bytes(bytes, static_cast<uint32_t>(seed)));
}

MadeExpression MakeMurmur3Hash(FunctionCall call) {
  const auto seed = call.spec.attributes.find("seed");
  if (seed == call.spec.attributes.end() || !seed->is_number_integer()) {
    return Status::Invalid("murmur3_hash has no integer attribute \"seed\"");
  }
  const bool can_fail = std::ranges::any_of(call.arguments, &Expression::can_fail);
  return std::make_unique<Murmur3>(call.spec.type, std::move(call.arguments), seed->get<int32_t>(),
                                   can_fail);
}

}  // namespace reprise
