// A recording for tests, and what is found in recordings. The example is of async-profiler 4.6: two
// threads ran four tasks each, in turn of stage 0, which calls R.hotOne, and of stage 1, R.hotTwo.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "dump/file.h"
#include "profile/jfr_chunk.h"
#include "profile/jfr_file.h"
#include "profile/sample_stacks.h"

namespace reprise {

inline const char* const kExample = REPRISE_RECORDINGS "/two-threads.jfr";

/// A new empty folder for each test.
class Recordings : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("profile-" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, std::string_view bytes) {
    const std::string file = (folder_ / name).string();
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
  std::string CopyOfExample() {
    return Write("recording.jfr", ReadWholeFile(kExample).ValueOrDie());
  }

  std::filesystem::path folder_;
};

inline std::vector<JfrSpan> SpansOfExample() {
  std::vector<JfrSpan> spans;
  EXPECT_TRUE(ReadJfrFile(kExample, 0, [&](JfrChunk& chunk) {
                spans.insert(spans.end(), chunk.spans().begin(), chunk.spans().end());
                return Status::OK();
              }).ok());
  return spans;
}

/// Samples of a kind below a frame; "": below any.
inline int64_t Covered(const SampledStacks& sampled, const std::string& kind,
                       const std::string& frame) {
  int64_t count = 0;
  for (const auto& [frames, weight] : Named(sampled.stacks, *sampled.names)) {
    const bool is_below = frame.empty() || std::ranges::find(frames, frame) != frames.end();
    if (frames.front() == kind && is_below) count += weight;
  }
  return count;
}

}  // namespace reprise
