#include "eventlog/log_codec.h"

#include <algorithm>

#include "eventlog/chunked_codecs.h"
#include "eventlog/zstd_codec.h"

namespace reprise {

namespace {

// Also what decides about files that are no event log at all: their lines will say so.
class PlainBytes final : public LogBytes {
 public:
  using LogBytes::LogBytes;
  std::string_view codec() const override { return "none"; }
  Result<size_t> Read(uint8_t* out, size_t size) override { return file().Read(out, size); }
};

template <typename Decoder>
std::unique_ptr<LogBytes> Make(std::unique_ptr<FileBytes> file) {
  return std::make_unique<Decoder>(std::move(file));
}

struct Signature {
  std::string_view bytes;
  std::unique_ptr<LogBytes> (*make)(std::unique_ptr<FileBytes> file);
};

constexpr Signature kSignatures[] = {
    {"\x28\xb5\x2f\xfd", MakeZstdBytes},
    {kLz4BlockMagic, MakeLz4BlockBytes},
    {kSnappyMagic, MakeSnappyBytes},
    {kLzfMagic, MakeLzfBytes},
};

}  // namespace

Result<std::unique_ptr<LogBytes>> LogBytes::Open(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(auto file, FileBytes::Open(path));
  ARROW_ASSIGN_OR_RAISE(const auto begin, file->Peek(8));
  const std::string_view found(reinterpret_cast<const char*>(begin.data()), begin.size());
  for (const Signature& signature : kSignatures) {
    // A file torn within its first bytes is known by those that it has.
    const std::string_view wanted = signature.bytes.substr(0, std::max<size_t>(found.size(), 1));
    if (found.starts_with(wanted)) return signature.make(std::move(file));
  }
  return Make<PlainBytes>(std::move(file));
}

}  // namespace reprise
