// Keys of a join in the form in which they are hashed and compared.
#pragma once

#include <arrow/array.h>

#include <string_view>
#include <vector>

#include "base/status.h"
#include "operators/pool_vector.h"
#include "plan/data_type.h"

namespace reprise {

/// How the keys of a join are laid out. Keys of fixed width that fit are packed side by side into
/// one or two 64-bit words; all others become one run of bytes a row.
class JoinKeyLayout {
 public:
  /// Where a key lies: in words, its word and shift; in runs, the offset of its value, or of its
  /// length where it is a string.
  struct Key {
    DataType type;
    int word = 0;
    int shift = 0;
    int64_t offset = 0;
    bool is_bytes = false;
  };

  /// Only for types that ReadJoinSpec lets pass. No types: every row has the same, empty run.
  explicit JoinKeyLayout(const std::vector<DataType>& types);

  const std::vector<Key>& keys() const { return keys_; }
  /// 1 or 2; 0: runs of bytes.
  int word_count() const { return word_count_; }
  /// Bytes of a run before the strings' own.
  int64_t header_size() const { return header_size_; }
  /// The word is the sign-extended value of a single key: close values are close words.
  bool is_one_integer() const { return is_one_integer_; }

 private:
  bool PackIntoWords();

  std::vector<Key> keys_;
  int word_count_ = 0;
  int64_t header_size_ = 0;
  bool is_one_integer_ = false;
};

/// The keys of a batch's rows. A row in which some key is null has none: null equals nothing.
/// Floating point: -0.0 is 0.0, and all NaN are one (NormalizeNaNAndZero; Spark's plans do this too
/// where keys are compared as bytes).
class JoinKeys {
 public:
  /// `layout` must outlive the object.
  JoinKeys(const JoinKeyLayout* layout, arrow::MemoryPool* pool);

  /// Takes up the keys of `row_count` rows, which must live as long as they are looked at.
  Status Encode(const arrow::ArrayVector& keys, int64_t row_count);

  /// Takes up only which rows have no key.
  Status EncodeNulls(const arrow::ArrayVector& keys);

  int64_t row_count() const { return row_count_; }
  bool has_nulls() const { return has_nulls_; }
  bool is_null(int64_t row) const { return has_nulls_ && nulls_[row] != 0; }
  /// word_count() words a row.
  const uint64_t* words() const { return words_.data(); }
  std::string_view run(int64_t row) const { return runs_[row]; }

 private:
  Status NoteNulls(const arrow::ArrayVector& keys);
  void NoteNulls(const arrow::Array& column);
  Status EncodeWords(const arrow::ArrayVector& keys);
  Status EncodeRuns(const arrow::ArrayVector& keys);
  void WriteRuns(const arrow::ArrayVector& keys, char* bytes);

  const JoinKeyLayout* layout_;
  int64_t row_count_ = 0;
  bool has_nulls_ = false;
  PoolVector<uint8_t> nulls_;
  PoolVector<uint64_t> words_;
  PoolVector<std::string_view> runs_;
  PoolVector<char> bytes_;       // of the runs, where they are not the column's own
  PoolVector<int64_t> cursors_;  // where each row's run goes on
};

}  // namespace reprise
