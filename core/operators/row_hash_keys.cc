#include "operators/row_hash_keys.h"

#include <xxhash.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "expressions/murmur3_hash.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

// Rows are encoded for their hashes in pieces of so many bytes.
constexpr int64_t kEncodedBytesMax = int64_t{2} << 20;

}  // namespace

Result<RowHashKeys> RowHashKeys::Make(const std::vector<Field>& fields, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(auto encoder, UnsafeRowEncoder::Make(fields, pool));
  return RowHashKeys(std::move(encoder));
}

Status RowHashKeys::Append(const Batch& batch, int32_t number, PoolVector<RowHashKey>* keys) {
  int64_t next = keys->size();
  RETURN_NOT_OK(keys->ResizeUninitialised(next + batch.row_count));
  int32_t row = 0;
  for (const Batch& piece : SplitForRows(*encoder_, batch, kEncodedBytesMax)) {
    ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, encoder_->Encode(piece));
    for (int32_t i = 0; i < rows.row_count; ++i) {
      const std::string_view bytes(reinterpret_cast<const char*>(rows.bytes) + rows.offsets[i],
                                   rows.offsets[i + 1] - rows.offsets[i]);
      const auto hash = static_cast<uint32_t>(Murmur3OfBytes(bytes, kMurmur3Seed));
      // As unsigned numbers with their signs turned, hashes are in the order of signed ones.
      (*keys)[next++] = {hash ^ 0x80000000u, row++, number,
                         XXH3_64bits(bytes.data(), bytes.size())};
    }
  }
  return Status::OK();
}

Status RowHashKeys::Sort(const std::vector<Batch>& batches, PoolVector<RowHashKey>* keys) {
  RowHashKey* const end = keys->data() + keys->size();
  // In place: it is also done where memory is short.
  std::sort(keys->data(), end, [](const RowHashKey& left, const RowHashKey& right) {
    return std::tie(left.hash, left.batch, left.row) < std::tie(right.hash, right.batch, right.row);
  });
  for (RowHashKey* begin = keys->data(); begin != end;) {
    RowHashKey* next = begin + 1;
    bool differs = false;
    for (; next != end && next->hash == begin->hash; ++next) differs |= next->check != begin->check;
    if (differs) RETURN_NOT_OK(SortEqualHashes(batches, begin, next));
    begin = next;
  }
  return Status::OK();
}

// There are as good as never more than two different rows.
Status RowHashKeys::SortEqualHashes(const std::vector<Batch>& batches, RowHashKey* begin,
                                    RowHashKey* end) {
  struct EqualRows {
    std::string bytes;
    std::vector<RowHashKey> keys;
  };
  std::vector<EqualRows> groups;
  std::unordered_map<uint64_t, size_t> group_of;
  for (const RowHashKey* key = begin; key != end; ++key) {
    const auto [found, is_new] = group_of.try_emplace(key->check, groups.size());
    if (is_new) {
      ARROW_ASSIGN_OR_RAISE(std::string bytes, BytesOf(batches[key->batch], key->row));
      groups.push_back({std::move(bytes), {}});
    }
    groups[found->second].keys.push_back(*key);
  }
  // A merge sort: differences of words that wrap around are no order of more than two.
  std::ranges::stable_sort(groups, [](const EqualRows& left, const EqualRows& right) {
    return CompareBytes(left.bytes, right.bytes) < 0;
  });
  for (const EqualRows& group : groups) begin = std::ranges::copy(group.keys, begin).out;
  return Status::OK();
}

Result<int> RowHashKeys::Compare(const Batch& left_batch, const RowHashKey& left,
                                 const Batch& right_batch, const RowHashKey& right) {
  if (left.hash != right.hash) return left.hash < right.hash ? -1 : 1;
  if (left.check == right.check) return 0;
  ARROW_ASSIGN_OR_RAISE(const std::string bytes, BytesOf(left_batch, left.row));
  ARROW_ASSIGN_OR_RAISE(const std::string others, BytesOf(right_batch, right.row));
  return CompareBytes(bytes, others);
}

int RowHashKeys::CompareBytes(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  for (size_t i = 0; i + kRowWordBytes <= left.size(); i += kRowWordBytes) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(left.data()) + i;
    const auto* const others = reinterpret_cast<const uint8_t*>(right.data()) + i;
    // Java's difference of two longs, which wraps around.
    const auto difference =
        static_cast<int64_t>(LoadAs<uint64_t>(bytes) - LoadAs<uint64_t>(others));
    if (difference != 0) return difference > 0 ? 1 : -1;
  }
  return 0;
}

Result<std::string> RowHashKeys::BytesOf(const Batch& batch, int32_t row) {
  Batch one{batch.schema, {}, 1, nullptr};
  for (const auto& column : batch.columns) one.columns.push_back(column->Slice(row, 1));
  ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, encoder_->Encode(one));
  return std::string(reinterpret_cast<const char*>(rows.bytes), rows.offsets[1]);
}

}  // namespace reprise
