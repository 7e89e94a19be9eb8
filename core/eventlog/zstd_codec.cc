#include "eventlog/zstd_codec.h"

#include <arrow/util/compression.h>

namespace reprise {

namespace {

class ZstdBytes final : public LogBytes {
 public:
  using LogBytes::LogBytes;
  std::string_view codec() const override { return "zstd"; }

  Result<size_t> Read(uint8_t* out, size_t size) override {
    if (!damage().empty()) return 0;
    if (!frame_) {
      ARROW_ASSIGN_OR_RAISE(codec_, arrow::util::Codec::Create(arrow::Compression::ZSTD));
      ARROW_ASSIGN_OR_RAISE(frame_, codec_->MakeDecompressor());
    }
    for (;;) {
      ARROW_ASSIGN_OR_RAISE(const auto input, file().PeekSome());
      // At the end of the file a last call may still hand out what the decoder holds.
      if (input.empty() && !within_frame_) return 0;
      const auto step = frame_->Decompress(static_cast<int64_t>(input.size()), input.data(),
                                           static_cast<int64_t>(size), out);
      if (!step.ok()) {
        SetDamage(fmt::format("its zstd frame at byte {} is damaged: {}", frame_begin_,
                              step.status().message()));
        return 0;
      }
      file().Skip(static_cast<size_t>(step->bytes_read));
      within_frame_ = !frame_->IsFinished();
      if (!within_frame_) frame_begin_ = position();
      if (step->bytes_written > 0) return static_cast<size_t>(step->bytes_written);
      if (input.empty()) {
        within_frame_ = false;
        SetDamage(fmt::format("ends inside the zstd frame that begins at byte {}", frame_begin_));
        return 0;
      }
    }
  }

 private:
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::util::Decompressor> frame_;
  bool within_frame_ = false;
  int64_t frame_begin_ = 0;
};

}  // namespace

std::unique_ptr<LogBytes> MakeZstdBytes(std::unique_ptr<FileBytes> file) {
  return std::make_unique<ZstdBytes>(std::move(file));
}

}  // namespace reprise
