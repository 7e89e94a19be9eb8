#include "rules/deep_stack.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <stdexcept>

namespace reprise {
namespace {

TEST(DeepStack, RunsHereWhereThereIsRoomAndElsewhereWhereThereIsNone) {
  const pthread_t here = pthread_self();
  pthread_t ran_on{};
  const auto note = [&] { ran_on = pthread_self(); };
  ASSERT_TRUE(RunOnStackFor(10, note).ok());
  EXPECT_TRUE(pthread_equal(here, ran_on));
  ASSERT_TRUE(RunOnStackFor(100000, note).ok());
  EXPECT_FALSE(pthread_equal(here, ran_on));
}

TEST(DeepStack, ThrowsHereWhatIsThrown) {
  const auto fail = [] { throw std::runtime_error("here"); };
  EXPECT_THROW((void)RunOnStackFor(1, fail), std::runtime_error);
  EXPECT_THROW((void)RunOnStackFor(100000, fail), std::runtime_error);
}

}  // namespace
}  // namespace reprise
