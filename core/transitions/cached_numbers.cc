#include "transitions/cached_numbers.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace reprise {

namespace {

template <typename T>
Status DecodeRuns(CacheReader* reader, int64_t count, T* to) {
  for (int64_t made = 0; made < count;) {
    ARROW_ASSIGN_OR_RAISE(const T value, reader->Take<T>());
    ARROW_ASSIGN_OR_RAISE(const auto length, reader->Take<int32_t>());
    const int64_t wanted = std::clamp<int64_t>(length, 0, count - made);
    std::fill_n(to + made, wanted, value);
    made += wanted;
  }
  return Status::OK();
}

template <typename T>
Status DecodeByDictionary(CacheReader* reader, int64_t count, T* to) {
  ARROW_ASSIGN_OR_RAISE(const auto size, reader->Take<int32_t>());
  ARROW_ASSIGN_OR_RAISE(const auto entries, reader->Take(int64_t{sizeof(T)} * size));
  ARROW_ASSIGN_OR_RAISE(const auto codes, reader->Take(int64_t{sizeof(int16_t)} * count));
  for (int64_t i = 0; i < count; ++i) {
    const auto entry = LoadAs<int16_t>(codes.data() + i * int64_t{sizeof(int16_t)});
    if (entry < 0 || entry >= size) {
      return Status::Invalid("entry ", entry, " of a dictionary of ", size);
    }
    to[i] = LoadAs<T>(entries.data() + entry * int64_t{sizeof(T)});
  }
  return Status::OK();
}

Status DecodeBits(CacheReader* reader, int64_t count, uint8_t* to) {
  RETURN_NOT_OK(reader->Take<int32_t>());
  ARROW_ASSIGN_OR_RAISE(const auto words, reader->Take((count + 63) / 64 * 8));
  // The lowest bit of a word is the first of its first byte.
  for (int64_t i = 0; i < count; ++i) {
    to[i] = words[static_cast<size_t>(i / 8)] >> (i % 8) & 1;
  }
  return Status::OK();
}

template <typename T>
Status DecodeDeltas(CacheReader* reader, int64_t count, T* to) {
  const uint8_t* from = reader->rest().data();
  const uint8_t* const end = from + reader->rest().size();
  T value = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (from == end) return Status::Invalid("1 bytes are wanted where 0 are left");
    const auto delta = static_cast<int8_t>(*from++);
    if (delta != std::numeric_limits<int8_t>::min()) {
      value += static_cast<T>(int64_t{delta});
    } else if (end - from >= static_cast<ptrdiff_t>(sizeof(T))) {
      value = LoadAs<T>(from);
      from += sizeof(T);
    } else {
      return Status::Invalid(sizeof(T), " bytes are wanted where ", end - from, " are left");
    }
    to[i] = value;
  }
  return Status::OK();
}

}  // namespace

Status CachedNumbers::Decode(std::span<const uint8_t> bytes, int64_t rows) {
  CacheReader reader(bytes);
  RETURN_NOT_OK(PlaceNulls(&reader, rows));
  switch (width_) {
    case 1:
      return DecodeAs<uint8_t>(&reader, rows);
    case 2:
      return DecodeAs<uint16_t>(&reader, rows);
    case 4:
      return DecodeAs<uint32_t>(&reader, rows);
    default:
      return DecodeAs<uint64_t>(&reader, rows);
  }
}

Status CachedNumbers::PlaceNulls(CacheReader* reader, int64_t rows) {
  nulls_.clear();
  null_count_ = 0;
  ARROW_ASSIGN_OR_RAISE(const auto count, reader->Take<int32_t>());
  ARROW_ASSIGN_OR_RAISE(const auto places, reader->Take(int64_t{sizeof(int32_t)} * count));
  if (count == 0) return Status::OK();
  nulls_.resize(static_cast<size_t>(rows));
  for (int64_t i = 0; i < count; ++i) {
    const auto row = LoadAs<int32_t>(places.data() + i * int64_t{sizeof(int32_t)});
    if (row < 0 || row >= rows) return Status::Invalid("row ", row, " is null, of ", rows);
    uint8_t& is_null = nulls_[static_cast<size_t>(row)];
    null_count_ += is_null == 0 ? 1 : 0;
    is_null = 1;
  }
  return Status::OK();
}

template <typename T>
Result<T*> CachedNumbers::Made(int64_t rows) {
  ARROW_ASSIGN_OR_RAISE(made_, arrow::AllocateBuffer(rows * int64_t{sizeof(T)}, pool_));
  values_ = made_->data();
  return reinterpret_cast<T*>(made_->mutable_data());
}

template <typename T>
Status CachedNumbers::DecodeAs(CacheReader* reader, int64_t rows) {
  const int64_t count = rows - null_count_;
  ARROW_ASSIGN_OR_RAISE(const auto number, reader->Take<int32_t>());
  const auto scheme = static_cast<CacheScheme>(number);
  if (scheme == CacheScheme::kPlain && null_count_ == 0) {
    ARROW_ASSIGN_OR_RAISE(const auto values, reader->Take(int64_t{sizeof(T)} * rows));
    values_ = values.data();
    return Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(T* const to, Made<T>(rows));
  if (scheme == CacheScheme::kPlain) {
    ARROW_ASSIGN_OR_RAISE(const auto values, reader->Take(int64_t{sizeof(T)} * count));
    if (count > 0) std::memcpy(to, values.data(), values.size());
  } else if (scheme == CacheScheme::kRuns) {
    RETURN_NOT_OK(DecodeRuns(reader, count, to));
  } else if (scheme == CacheScheme::kDictionary) {
    RETURN_NOT_OK(DecodeByDictionary(reader, count, to));
  } else if (scheme == CacheScheme::kBits && width_ == 1) {
    RETURN_NOT_OK(DecodeBits(reader, count, made_->mutable_data()));
  } else if (scheme == (width_ == 4 ? CacheScheme::kIntDeltas : CacheScheme::kLongDeltas) &&
             width_ >= 4) {
    RETURN_NOT_OK(DecodeDeltas(reader, count, to));
  } else {
    return Status::Invalid("there is no compression scheme ", number, " of values of ", width_,
                           " bytes");
  }
  if (null_count_ == 0) return Status::OK();
  // The values stand where the rows begin: each goes to its own, the last first.
  int64_t left = count;
  for (int64_t row = rows - 1; row >= 0; --row) {
    to[row] = nulls_[static_cast<size_t>(row)] != 0 ? T{0} : to[--left];
  }
  return Status::OK();
}

int64_t CachedNumbers::Copy(int64_t first, int64_t count, uint8_t* values, uint8_t* nulls) const {
  const auto rows = static_cast<size_t>(count);
  std::memcpy(values, values_ + first * width_, rows * static_cast<size_t>(width_));
  if (nulls_.empty()) {
    std::memset(nulls, 0, rows);
    return 0;
  }
  std::memcpy(nulls, nulls_.data() + first, rows);
  return std::count(nulls, nulls + count, uint8_t{1});
}

}  // namespace reprise
