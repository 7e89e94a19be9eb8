#include "exchange/block_format.h"

#include <xxhash.h>

#include <cstddef>

namespace reprise::block {

uint64_t SchemaCheck(const arrow::Schema& schema) {
  std::string text;
  for (const auto& field : schema.fields()) text += field->type()->ToString() + ";";
  return XXH3_64bits(text.data(), text.size());
}

uint64_t Checksum(const uint8_t* block, int64_t body_bytes) {
  const uint64_t seed = XXH3_64bits(block, offsetof(Header, checksum));
  return XXH3_64bits_withSeed(block + kHeaderBytes, static_cast<size_t>(body_bytes), seed);
}

}  // namespace reprise::block
