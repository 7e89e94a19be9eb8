#include "scan/orc_runs.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reprise {

namespace {

constexpr int kRepeatedMin = 3;

/// How many bits five bits of a header stand for.
int BitsOf(int code) {
  constexpr int kWide[] = {26, 28, 30, 32, 40, 48, 56, 64};
  return code < 24 ? code + 1 : kWide[code - 24];
}

/// The least number of bits, of those that are used, that has room for `bits`.
int UsedBits(int bits) {
  for (int code = 0; code < 31; ++code) {
    if (BitsOf(code) >= bits) return BitsOf(code);
  }
  return 64;
}

int LengthOf(uint8_t header, uint8_t next) { return ((header & 1) << 8 | next) + 1; }

// Sums and products wrap around, as Java's do.
int64_t Sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

void OrcBytes::NextRun() {
  const uint8_t control = stream_.Byte();
  is_repeated_ = control < 0x80;
  if (is_repeated_) {
    left_ = control + kRepeatedMin;
    repeated_ = stream_.Byte();
  } else {
    left_ = 0x100 - control;
  }
}

void OrcBytes::Seek(OrcPositions* positions) {
  stream_.Seek(positions);
  left_ = 0;
  for (int64_t skipped = positions->Next(); skipped > 0 && stream_.status().ok(); --skipped) {
    (void)Next();
  }
}

void OrcBits::Seek(OrcPositions* positions) {
  bytes_.Seek(positions);
  left_ = 0;
  for (int64_t skipped = positions->Next(); skipped > 0 && status().ok(); --skipped) (void)Next();
}

void OrcIntegers::Read(int64_t* to, int64_t count) {
  while (count > 0) {
    if (used_ == size_) {
      if (stream_.status().ok()) NextRun();
      if (!stream_.status().ok()) {
        std::memset(to, 0, count * sizeof(int64_t));
        used_ = size_ = 0;
        return;
      }
    }
    const int64_t taken = std::min<int64_t>(count, size_ - used_);
    std::memcpy(to, run_.data() + used_, taken * sizeof(int64_t));
    used_ += static_cast<int>(taken);
    to += taken;
    count -= taken;
  }
}

void OrcIntegers::Seek(OrcPositions* positions) {
  stream_.Seek(positions);
  used_ = size_ = 0;
  int64_t skipped = positions->Next();
  while (skipped > 0 && stream_.status().ok()) {
    NextRun();
    used_ = static_cast<int>(std::min<int64_t>(skipped, size_));
    skipped -= used_;
  }
}

void OrcIntegers::NextRun() {
  used_ = size_ = 0;
  if (version_ == Version::k1) return ReadFirstVersion();
  const uint8_t header = stream_.Byte();
  switch (header >> 6) {
    case 0:
      return ReadShortRepeat(header);
    case 1:
      return ReadDirect(header);
    case 2:
      return ReadPatched(header);
    default:
      return ReadDelta(header);
  }
}

void OrcIntegers::ReadFirstVersion() {
  const uint8_t control = stream_.Byte();
  if (control < 0x80) {
    size_ = control + kRepeatedMin;
    const int64_t delta = static_cast<int8_t>(stream_.Byte());
    int64_t value = Number();
    for (int i = 0; i < size_; ++i, value = Sum(value, delta)) run_[i] = value;
    return;
  }
  size_ = 0x100 - control;
  for (int i = 0; i < size_; ++i) run_[i] = Number();
}

void OrcIntegers::ReadShortRepeat(uint8_t header) {
  size_ = (header & 7) + kRepeatedMin;
  const uint64_t bits = BigEndian(((header >> 3) & 7) + 1);
  const int64_t value = is_signed_ ? OrcStream::FromZigzag(bits) : static_cast<int64_t>(bits);
  std::fill_n(run_.begin(), size_, value);
}

void OrcIntegers::ReadDirect(uint8_t header) {
  size_ = LengthOf(header, stream_.Byte());
  auto* values = reinterpret_cast<uint64_t*>(run_.data());
  Unpack(BitsOf((header >> 1) & 31), size_, values);
  if (!is_signed_) return;
  for (int i = 0; i < size_; ++i) run_[i] = OrcStream::FromZigzag(values[i]);
}

// Most values are small: of those that are not, the upper bits stand apart.
void OrcIntegers::ReadPatched(uint8_t header) {
  size_ = LengthOf(header, stream_.Byte());
  const int bits = BitsOf((header >> 1) & 31);
  const uint8_t third = stream_.Byte();
  const uint8_t fourth = stream_.Byte();
  const int base_bytes = (third >> 5) + 1;
  const int patch_bits = BitsOf(third & 31);
  const int gap_bits = (fourth >> 5) + 1;
  const int patches = fourth & 31;
  // The most significant bit of the base is its sign.
  const uint64_t stored_base = BigEndian(base_bytes);
  const uint64_t sign = uint64_t{1} << (base_bytes * 8 - 1);
  const int64_t magnitude = static_cast<int64_t>(stored_base & ~sign);
  const int64_t base = (stored_base & sign) != 0 ? -magnitude : magnitude;
  auto* values = reinterpret_cast<uint64_t*>(run_.data());
  Unpack(bits, size_, values);
  if (gap_bits + patch_bits > 64 || bits > 63) {
    size_ = 0;
    return stream_.Fail("a patched run has numbers of too many bits");
  }
  std::array<uint64_t, 31> list;
  Unpack(UsedBits(gap_bits + patch_bits), patches, list.data());
  const uint64_t mask = patch_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << patch_bits) - 1;
  uint64_t at = 0;
  for (int i = 0; i < patches; ++i) {
    at += patch_bits == 64 ? 0 : list[i] >> patch_bits;
    if (at >= static_cast<uint64_t>(size_)) {
      size_ = 0;
      return stream_.Fail("a patch is of no value of its run");
    }
    values[at] |= (list[i] & mask) << bits;
  }
  for (int i = 0; i < size_; ++i) run_[i] = Sum(base, run_[i]);
}

void OrcIntegers::ReadDelta(uint8_t header) {
  const int code = (header >> 1) & 31;
  size_ = LengthOf(header, stream_.Byte());
  int64_t value = Number();
  const int64_t first_delta = stream_.SignedVarint();
  run_[0] = value;
  if (code == 0) {
    for (int i = 1; i < size_; ++i) run_[i] = value = Sum(value, first_delta);
    return;
  }
  if (size_ < 2) return;
  run_[1] = value = Sum(value, first_delta);
  auto* deltas = reinterpret_cast<uint64_t*>(run_.data()) + 2;
  Unpack(BitsOf(code), size_ - 2, deltas);
  for (int i = 2; i < size_; ++i) {
    const int64_t delta = run_[i];
    value = Sum(value, first_delta < 0 ? Sum(0, -static_cast<uint64_t>(delta)) : delta);
    run_[i] = value;
  }
}

uint64_t OrcIntegers::BigEndian(int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | stream_.Byte();
  return value;
}

void OrcIntegers::Unpack(int bits, int count, uint64_t* to) {
  // So that eight bytes can be taken at the last value, too.
  std::array<uint8_t, kRunMax * sizeof(uint64_t) + sizeof(uint64_t)> packed;
  const int bytes = (bits * count + 7) / 8;
  stream_.Read(packed.data(), bytes);
  std::memset(packed.data() + bytes, 0, sizeof(uint64_t));
  // Widths of more than 56 bits are whole bytes, so that no number lies in nine.
  for (int i = 0; i < count; ++i) {
    const int at = i * bits;
    uint64_t word;
    std::memcpy(&word, packed.data() + at / 8, sizeof(word));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    to[i] = (word << (at % 8)) >> (64 - bits);
  }
}

}  // namespace reprise
