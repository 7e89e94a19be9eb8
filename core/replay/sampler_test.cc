#include "replay/sampler.h"

#include <gtest/gtest.h>

#include <ctime>

#include "replay/symbols.h"

namespace reprise {
namespace {

TEST(Symbols, NamesAreReadable) {
  EXPECT_EQ(ReadableName("main"), "main");
  EXPECT_EQ(ReadableName("_ZN7reprise12_GLOBAL__N_16Filter9NextBatchEv"),
            "reprise::(anonymous namespace)::Filter::NextBatch");
  EXPECT_EQ(ReadableName("_ZNK7reprise3SumclEii"), "reprise::Sum::operator()");
}

[[gnu::noinline]] double BurnTime(int64_t ns) {
  volatile double sum = 0;
  timespec start{};
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (timespec now = start;
       (now.tv_sec - start.tv_sec) * 1'000'000'000 + now.tv_nsec - start.tv_nsec < ns;
       clock_gettime(CLOCK_MONOTONIC, &now)) {
    for (int i = 0; i < 1000; ++i) sum = sum + i;
  }
  return sum;
}

TEST(Sampler, SeesWhatTheThreadDoes) {
  auto sampler = Sampler::Start(997).ValueOrDie();
  EXPECT_EQ(Sampler::Start(997).status().message(), "a profile is being taken already");
  BurnTime(300'000'000);
  sampler->Pause(true);
  BurnTime(100'000'000);
  sampler->Stop();
  EXPECT_GT(sampler->sample_count(), 20);
  EXPECT_LT(sampler->sample_count(), 340);
  int64_t here = 0;
  for (const auto& [frames, count] : sampler->Stacks()) {
    for (const std::string& frame : frames) {
      if (frame.ends_with("BurnTime")) here += count;
    }
  }
  EXPECT_GT(here, sampler->sample_count() / 2);
  EXPECT_TRUE(Sampler::Start(997).ok());
}

}  // namespace
}  // namespace reprise
