#include "operators/sort_keys.h"

#include <algorithm>
#include <cstring>

#include "expressions/row_error.h"
#include "expressions/values.h"
#include "expressions/widening.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

using Wide = unsigned __int128;

constexpr int kHeadBytes = 16;

/// Bytes of a key of this type behind its null byte; 0: as many as the value has.
int WidthOf(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kByte:
      return 1;
    case TypeKind::kShort:
      return 2;
    case TypeKind::kInteger:
    case TypeKind::kDate:
    case TypeKind::kFloat:
      return 4;
    case TypeKind::kString:
    case TypeKind::kBinary:
      return 0;
    case TypeKind::kDecimal:
      return type.is_short_decimal() ? 8 : 16;
    default:
      return 8;
  }
}

// The value as an unsigned number of its width that is in the same order.
template <typename T>
Wide Ordered(T value) {
  if constexpr (std::is_same_v<T, Int128Cell>) {
    return static_cast<Wide>(static_cast<Int128>(value)) ^ (Wide{1} << 127);
  } else if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    if (value != value) value = std::numeric_limits<T>::quiet_NaN();
    if (value == 0) value = 0;  // -0.0 too
    Bits bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return (bits & kSign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
  } else {
    using Bits = std::make_unsigned_t<T>;
    return static_cast<Bits>(static_cast<Bits>(value) ^ (Bits{1} << (8 * sizeof(T) - 1)));
  }
}

Wide MaskOf(int width) { return width == 16 ? ~Wide{0} : (Wide{1} << (8 * width)) - 1; }

// Calls f(values) where values[row] gives a key's value as such a number.
template <typename F>
void VisitOrdered(const arrow::Array& array, const DataType& type, F&& f) {
  if (type.is(TypeKind::kBoolean)) {
    const BitRows bits{array.data()->buffers[1]->data(), array.offset()};
    f([=](int64_t row) { return static_cast<Wide>(bits[row]); });
    return;
  }
  VisitStorage(type, [&]<typename T>() {
    const Rows<T> rows = RowsOf<T>(array);
    f([=](int64_t row) { return Ordered(rows[row]); });
  });
}

// Bytes so that no key is the beginning of another: 0 is 0 255, and 0 0 ends it.
void AppendText(std::string_view text, char flip, std::string* key) {
  for (const char c : text) {
    key->push_back(static_cast<char>(c ^ flip));
    if (c == 0) key->push_back(static_cast<char>('\xFF' ^ flip));
  }
  key->append(2, flip);
}

void AppendNumber(Wide value, int width, std::string* key) {
  for (int i = width - 1; i >= 0; --i) key->push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t BigEndian(const char* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return __builtin_bswap64(value);
}

}  // namespace

std::string_view KeyedRows::TailOf(const SortItem& item) const {
  if (tail_ends_.size() == 0) return {};
  const int64_t number = batch_begins_[item.batch] + item.row;
  const int64_t begin = number == 0 ? 0 : tail_ends_[number - 1];
  return {tails_.data() + begin, static_cast<size_t>(tail_ends_[number] - begin)};
}

int KeyedRows::Compare(const KeyedRows& left_rows, const SortItem& left,
                       const KeyedRows& right_rows, const SortItem& right) {
  if (left.high != right.high) return left.high < right.high ? -1 : 1;
  if (left.low != right.low) return left.low < right.low ? -1 : 1;
  return left_rows.TailOf(left).compare(right_rows.TailOf(right));
}

bool KeyedRows::IsBefore(const SortItem& left, const SortItem& right) const {
  const int compared = Compare(*this, left, *this, right);
  if (compared != 0) return compared < 0;
  return std::pair(left.batch, left.row) < std::pair(right.batch, right.row);
}

void KeyedRows::Sort() {
  std::sort(items_.data(), items_.data() + items_.size(),
            [this](const SortItem& a, const SortItem& b) { return IsBefore(a, b); });
}

void KeyedRows::SortStably() {
  std::stable_sort(
      items_.data(), items_.data() + items_.size(),
      [this](const SortItem& a, const SortItem& b) { return Compare(*this, a, *this, b) < 0; });
}

Status KeyedRows::Copy(const KeyedRows& from, const SortItem& item, int32_t batch_number,
                       int32_t row) {
  const int64_t count = items_.size();
  RETURN_NOT_OK(items_.ResizeUninitialised(count + 1));
  items_[count] = {item.high, item.low, row, batch_number};
  if (from.tail_ends_.size() == 0) return Status::OK();
  const std::string_view tail = from.TailOf(item);
  const int64_t begin = tails_.size();
  const int64_t end = begin + static_cast<int64_t>(tail.size());
  RETURN_NOT_OK(tails_.ResizeUninitialised(end));
  if (!tail.empty()) std::memcpy(tails_.data() + begin, tail.data(), tail.size());
  const int64_t number = tail_ends_.size();
  RETURN_NOT_OK(tail_ends_.ResizeUninitialised(number + 1));
  tail_ends_[number] = end;
  return Status::OK();
}

void KeyedRows::Clear(bool release) {
  batch_begins_.clear();
  if (release) {
    items_.Release();
    tail_ends_.Release();
    tails_.Release();
    return;
  }
  // Shrinking never allocates.
  (void)items_.ResizeUninitialised(0);
  (void)tail_ends_.ResizeUninitialised(0);
  (void)tails_.ResizeUninitialised(0);
}

int64_t KeyedRows::bytes() const {
  return items_.size() * static_cast<int64_t>(sizeof(SortItem)) +
         tail_ends_.size() * static_cast<int64_t>(sizeof(int64_t)) + tails_.size();
}

Result<SortKeys> SortKeys::Make(const nlohmann::json& ordering, const std::vector<Field>& input) {
  if (!ordering.is_array() || ordering.empty()) {
    return Status::Invalid("\"ordering\" must be an array of at least one key");
  }
  SortKeys keys;
  int width = 0;
  bool fits = true;
  for (const auto& order : ordering) {
    ARROW_ASSIGN_OR_RAISE(const OrderKeySpec spec, OrderKeyFromJson(order));
    Key key{nullptr, spec.ascending, spec.nulls_first};
    ARROW_ASSIGN_OR_RAISE(key.expression, MakeExpression(spec.expression, input));
    keys.may_widen_ |= MayWiden(spec.expression);
    const int own = WidthOf(key.expression->type());
    fits &= own > 0;
    width += own + 1;
    keys.keys_.push_back(std::move(key));
  }
  keys.fits_ = fits && width <= kHeadBytes;
  return keys;
}

Status SortKeys::Append(const Batch& batch, int32_t batch_number, arrow::MemoryPool* pool,
                        KeyedRows* rows) const {
  const Status appended = AppendAll(batch, batch_number, pool, rows);
  if (appended.ok()) return appended;
  return FindRowError(batch, appended,
                      [&](const Batch& some) {
                        KeyedRows scratch(pool);
                        return AppendAll(some, 0, pool, &scratch);
                      })
      .status;
}

Status SortKeys::AppendAll(const Batch& batch, int32_t batch_number, arrow::MemoryPool* pool,
                           KeyedRows* rows) const {
  EvalInput input(batch, pool);
  rows->batch_begins_.push_back(rows->items_.size());
  return fits_ ? AppendPacked(input, batch_number, rows) : AppendLong(input, batch_number, rows);
}

// The key is followed by the row's place, which leaves room for the key's bytes in the head.
Status SortKeys::PlaceNulls(KeyedRows* rows, arrow::MemoryPool* pool) const {
  if (keys_.size() != 1 || !fits_) return Status::OK();
  constexpr int kPlaceBits = 48;
  const int null_bit = 8 * WidthOf(keys_[0].expression->type());
  PoolVector<SortItem>& items = rows->items_;
  const auto head_of = [](const SortItem& item) {
    return (static_cast<Wide>(item.high) << 64) | item.low;
  };
  const auto is_null = [&](const SortItem& item) {
    return ((head_of(item) >> null_bit & 1) != 0) != keys_[0].nulls_first;
  };
  if (std::none_of(items.data(), items.data() + items.size(), is_null)) return Status::OK();
  PoolVector<int64_t> order(pool);
  RETURN_NOT_OK(order.ResizeUninitialised(items.size()));
  int64_t nulls = 0;
  for (int64_t i = 0; i < items.size(); ++i) {
    order[i] = i;
    if (is_null(items[i])) std::swap(order[nulls++], order[i]);
  }
  for (int64_t place = 0; place < items.size(); ++place) {
    SortItem& item = items[order[place]];
    const Wide head = (head_of(item) << kPlaceBits) | static_cast<Wide>(place);
    item.high = static_cast<uint64_t>(head >> 64);
    item.low = static_cast<uint64_t>(head);
  }
  return Status::OK();
}

// One key after the other is shifted into the heads of all rows.
Status SortKeys::AppendPacked(EvalInput& input, int32_t batch_number, KeyedRows* rows) const {
  const int64_t count = input.row_count();
  const int64_t begin = rows->items_.size();
  RETURN_NOT_OK(rows->items_.ResizeUninitialised(begin + count));
  SortItem* const items = rows->items_.data() + begin;
  for (int64_t row = 0; row < count; ++row) {
    items[row] = {0, 0, static_cast<int32_t>(row), batch_number};
  }
  for (const Key& key : keys_) {
    const DataType& type = key.expression->type();
    ARROW_ASSIGN_OR_RAISE(const auto array, EvaluateToArray(*key.expression, input));
    const int width = WidthOf(type);
    const Wide flip = key.ascending ? Wide{0} : MaskOf(width);
    const Wide null = key.nulls_first ? Wide{0} : Wide{1} << (8 * width);
    const Wide valid = key.nulls_first ? Wide{1} << (8 * width) : Wide{0};
    const bool has_nulls = array->null_count() > 0;
    VisitOrdered(*array, type, [&](auto values) {
      for (int64_t row = 0; row < count; ++row) {
        const Wide own = has_nulls && array->IsNull(row) ? null : (valid | (values(row) ^ flip));
        const Wide before = (static_cast<Wide>(items[row].high) << 64) | items[row].low;
        const Wide head = (before << (8 * (width + 1))) | own;
        items[row].high = static_cast<uint64_t>(head >> 64);
        items[row].low = static_cast<uint64_t>(head);
      }
    });
  }
  return Status::OK();
}

// Each row's key is put together as bytes; what does not fit into the head is its tail.
Status SortKeys::AppendLong(EvalInput& input, int32_t batch_number, KeyedRows* rows) const {
  const int64_t count = input.row_count();
  std::vector<std::string> texts(count);
  for (const Key& key : keys_) {
    const DataType& type = key.expression->type();
    ARROW_ASSIGN_OR_RAISE(auto array, EvaluateToArray(*key.expression, input));
    ARROW_ASSIGN_OR_RAISE(array, DecodeDictionary(array, input.pool()));
    const char null = key.nulls_first ? 0 : 1;
    const char valid = key.nulls_first ? 1 : 0;
    const auto append = [&](auto&& value) {
      for (int64_t row = 0; row < count; ++row) {
        const bool is_null = array->IsNull(row);
        texts[row].push_back(is_null ? null : valid);
        if (!is_null) value(row, &texts[row]);
      }
    };
    const int width = WidthOf(type);
    if (width == 0) {
      const StringRows strings = StringsOf(*array);
      const char flip = key.ascending ? '\0' : '\xFF';
      append([&](int64_t row, std::string* text) { AppendText(strings[row], flip, text); });
    } else {
      const Wide flip = key.ascending ? Wide{0} : MaskOf(width);
      VisitOrdered(*array, type, [&](auto values) {
        append(
            [&](int64_t row, std::string* text) { AppendNumber(values(row) ^ flip, width, text); });
      });
    }
  }
  const int64_t begin = rows->items_.size();
  RETURN_NOT_OK(rows->items_.ResizeUninitialised(begin + count));
  RETURN_NOT_OK(rows->tail_ends_.ResizeUninitialised(begin + count));
  for (int64_t row = 0; row < count; ++row) {
    std::string& text = texts[row];
    const int64_t tail = std::max<int64_t>(static_cast<int64_t>(text.size()) - kHeadBytes, 0);
    if (text.size() < kHeadBytes) text.resize(kHeadBytes, '\0');
    rows->items_[begin + row] = {BigEndian(text.data()), BigEndian(text.data() + 8),
                                 static_cast<int32_t>(row), batch_number};
    const int64_t end = rows->tails_.size();
    RETURN_NOT_OK(rows->tails_.ResizeUninitialised(end + tail));
    if (tail > 0) std::memcpy(rows->tails_.data() + end, text.data() + kHeadBytes, tail);
    rows->tail_ends_[begin + row] = end + tail;
  }
  return Status::OK();
}

}  // namespace reprise
