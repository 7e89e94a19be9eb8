// The stacks of a chunk by the names of their frames, for all who ask for some of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "flame/frame_stacks.h"
#include "profile/jfr_chunk.h"

namespace reprise {

/// Makes a name, and a stack, once, however many stages have it.
class ChunkFrames {
 public:
  struct Frame {
    uint32_t name;         ///< its number
    bool is_native_call;   ///< a call of the core
    int64_t codegen = -1;  ///< of generated code: the number of its class
  };

  /// @param chunk  is to outlive this
  /// @param names  those of other chunks, or of none yet
  ChunkFrames(const JfrChunk& chunk, std::shared_ptr<FrameNames> names)
      : chunk_(chunk), names_(std::move(names)) {}

  const JfrChunk& chunk() const { return chunk_; }
  const std::shared_ptr<FrameNames>& names() const { return names_; }

  /// From the root to the leaf; none where the chunk lacks the stack.
  const std::vector<Frame>& Stack(uint64_t number);

 private:
  Frame FrameOf(uint64_t method);

  const JfrChunk& chunk_;
  const std::shared_ptr<FrameNames> names_;
  std::unordered_map<uint64_t, std::vector<Frame>> stacks_;
  std::unordered_map<uint64_t, Frame> frames_;  // by method
};

}  // namespace reprise
