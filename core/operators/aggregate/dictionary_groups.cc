#include "operators/aggregate/dictionary_groups.h"

#include "base/batch.h"
#include "operators/fixed_values.h"

namespace reprise {

namespace {

constexpr int64_t kCombinationsMax = int64_t{1} << 16;
constexpr int32_t kUnknown = -1;
constexpr int32_t kPending = -2;  // met in this batch for the first time

// Adds to each row's combined code that of one more key, whose codes are 0 … length - 1, and
// `length` for null.
void AddCodes(const arrow::Array& key, int64_t length, uint32_t stride, int64_t row_count,
              uint32_t* codes) {
  const int32_t* key_codes = key.data()->GetValues<int32_t>(1);
  const Validity valid(key);
  if (valid.all()) {
    for (int64_t row = 0; row < row_count; ++row) {
      codes[row] += static_cast<uint32_t>(key_codes[row]) * stride;
    }
    return;
  }
  for (int64_t row = 0; row < row_count; ++row) {
    const uint32_t code = static_cast<uint32_t>(valid[row] ? key_codes[row] : length);
    codes[row] += code * stride;
  }
}

}  // namespace

bool DictionaryGroups::Accepts(const arrow::ArrayVector& keys) {
  int64_t combinations = 1;
  std::vector<Dictionary> dictionaries;
  for (const auto& key : keys) {
    if (key->type_id() != arrow::Type::DICTIONARY) return false;
    const arrow::ArrayData& values = *key->data()->dictionary;
    combinations *= values.length + 1;
    if (combinations > kCombinationsMax) return false;
    dictionaries.push_back({values.buffers[1], values.buffers[2], values.offset, values.length});
  }
  if (dictionaries == dictionaries_) return true;
  dictionaries_ = std::move(dictionaries);
  group_of_code_.assign(combinations, kUnknown);
  return true;
}

Status DictionaryGroups::Map(const arrow::ArrayVector& keys, int64_t row_count, int32_t* groups,
                             arrow::MemoryPool* pool, const MapRows& map_rows) {
  codes_.assign(row_count, 0);
  uint32_t stride = 1;
  for (size_t i = 0; i < keys.size(); ++i) {
    AddCodes(*keys[i], dictionaries_[i].length, stride, row_count, codes_.data());
    stride *= static_cast<uint32_t>(dictionaries_[i].length + 1);
  }
  std::vector<int32_t> new_rows;  // the first row of each new combination, in row order
  for (int64_t row = 0; row < row_count; ++row) {
    int32_t& group = group_of_code_[codes_[row]];
    if (group == kUnknown) {
      new_rows.push_back(static_cast<int32_t>(row));
      group = kPending;
    }
    groups[row] = group;
  }
  if (new_rows.empty()) return Status::OK();

  arrow::ArrayVector new_keys;
  for (const auto& key : keys) {
    ARROW_ASSIGN_OR_RAISE(auto gathered, Gather(*key, new_rows, pool));
    new_keys.push_back(std::move(gathered));
  }
  std::vector<int32_t> new_groups(new_rows.size());
  RETURN_NOT_OK(map_rows(new_keys, static_cast<int64_t>(new_rows.size()), new_groups.data()));
  for (size_t i = 0; i < new_rows.size(); ++i) group_of_code_[codes_[new_rows[i]]] = new_groups[i];
  for (int64_t row = new_rows[0]; row < row_count; ++row) groups[row] = group_of_code_[codes_[row]];
  return Status::OK();
}

}  // namespace reprise
