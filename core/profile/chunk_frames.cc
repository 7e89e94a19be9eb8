#include "profile/chunk_frames.h"

#include <cstdlib>

namespace reprise {

namespace {

constexpr std::string_view kNativeCalls = "reprise.bridge.Native.";
constexpr std::string_view kGenerated = "GeneratedIteratorForCodegenStage";

}  // namespace

const std::vector<ChunkFrames::Frame>& ChunkFrames::Stack(uint64_t number) {
  const auto [found, is_new] = stacks_.try_emplace(number);
  std::vector<Frame>& frames = found->second;
  if (!is_new) return frames;
  const std::vector<uint64_t> methods = chunk_.Stack(number);
  frames.reserve(methods.size());
  for (const uint64_t method : methods) frames.push_back(FrameOf(method));
  return frames;
}

ChunkFrames::Frame ChunkFrames::FrameOf(uint64_t method) {
  const auto known = frames_.find(method);
  if (known != frames_.end()) return known->second;
  const std::string text = chunk_.FrameName(method);
  Frame frame{.name = names_->NumberOf(text), .is_native_call = text.starts_with(kNativeCalls)};
  if (const size_t at = text.find(kGenerated); at != std::string::npos) {
    frame.codegen = std::atoll(text.c_str() + at + kGenerated.size());
  }
  return frames_.emplace(method, frame).first->second;
}

}  // namespace reprise
