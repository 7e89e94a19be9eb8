#include "replay/allocation_sites.h"

#include <gtest/gtest.h>

#include <numeric>

namespace reprise {

// Not in an anonymous namespace: told by its name.
[[gnu::noinline]] uint8_t* TakenForTheTest(arrow::MemoryPool* pool, int64_t bytes) {
  uint8_t* buffer = nullptr;
  EXPECT_TRUE(pool->Allocate(bytes, &buffer).ok());
  return buffer;
}

namespace {

int64_t BytesOf(const HeldAtPeak& held) {
  const auto sites = held.Sites();
  return std::accumulate(sites.begin(), sites.end(), int64_t{0},
                         [](int64_t sum, const AllocationSite& site) { return sum + site.bytes; });
}

TEST(SiteTrackingPool, TellsWhoHeldWhatAtThePeak) {
  SiteTrackingPool pool(arrow::default_memory_pool());
  uint8_t* small = TakenForTheTest(&pool, 1000);
  uint8_t* large = TakenForTheTest(&pool, 1'000'000);
  ASSERT_TRUE(pool.Reallocate(1'000'000, 3'000'000, &large).ok());
  pool.Free(large, 3'000'000);
  uint8_t* later = TakenForTheTest(&pool, 2000);
  const HeldAtPeak held = pool.AtPeak();
  EXPECT_EQ(held.bytes, 3'001'000);
  EXPECT_EQ(BytesOf(held), held.bytes) << "each byte has a place";
  EXPECT_EQ(pool.peak_bytes(), held.bytes);
  pool.Free(small, 1000);
  pool.Free(later, 2000);
  EXPECT_EQ(pool.AtPeak().bytes, held.bytes);
}

TEST(SiteTrackingPool, PlacesAreFunctionsOfTheCore) {
  HeldAtPeak held;
  held.stacks = {
      {{"main", "reprise::Filter::NextBatch", "reprise::(anonymous namespace)::Rows::Grow",
        "reprise::PoolVector<int>::Grow", "reprise::TaskMemory::Allocate", "libarrow.so"},
       5},
      {{"main", "reprise::Sort<reprise::Key>::NextBatch", "arrow::AllocateBuffer"}, 9},
      {{"main", "arrow::AllocateBuffer"}, 1}};
  const auto sites = held.Sites();
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(sites[0].function, "Sort<Key>::NextBatch");
  EXPECT_EQ(sites[0].bytes, 9);
  EXPECT_EQ(sites[1].function, "Rows::Grow");
  EXPECT_EQ(sites[2].function, "outside of the core");
}

}  // namespace
}  // namespace reprise
