#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>

extern "C" int WaitOnWallClock(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                               const timespec* until);

namespace reprise {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(NewerFunctions, FilesAreAsTheSystemHasThem) {
  const std::string path = testing::TempDir() + "/newer_functions";
  std::ofstream(path) << "seven b";
  const std::string link = path + "_link";
  ::unlink(link.c_str());
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  struct stat file;
  struct stat followed;
  struct stat not_followed;
  ASSERT_EQ(::stat(path.c_str(), &file), 0);
  EXPECT_EQ(file.st_size, 7);
  EXPECT_EQ(file.st_uid, ::getuid());
  ASSERT_EQ(::fstatat(AT_FDCWD, link.c_str(), &followed, 0), 0);
  EXPECT_EQ(followed.st_ino, file.st_ino);
  ASSERT_EQ(::lstat(link.c_str(), &not_followed), 0);
  EXPECT_TRUE(S_ISLNK(not_followed.st_mode));
  EXPECT_EQ(::stat((path + "_none").c_str(), &file), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST(NewerFunctions, AThreadHasTheKernelsNumber) { EXPECT_EQ(::gettid(), ::syscall(SYS_gettid)); }

TEST(NewerFunctions, AWaitEndsOnItsClock) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  const auto begin = steady_clock::now();
  EXPECT_EQ(condition.wait_until(lock, begin + milliseconds(20)), std::cv_status::timeout);
  EXPECT_GE(steady_clock::now() - begin, milliseconds(20));
}

// As it is where glibc knows the wall clock alone: seconds and nanoseconds carry into each other.
TEST(NewerFunctions, AWaitOnTheWallClockTakesAsLong) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  for (const int wanted : {-1500, 0, 1, 15, 999, 1001}) {
    const auto begin = steady_clock::now();
    const int64_t until = (begin.time_since_epoch() + milliseconds(wanted)).count();
    const timespec time = {.tv_sec = until / 1'000'000'000, .tv_nsec = until % 1'000'000'000};
    EXPECT_EQ(WaitOnWallClock(&condition, &mutex, CLOCK_MONOTONIC, &time), ETIMEDOUT);
    // The two clocks are read one after the other.
    const auto waited = steady_clock::now() - begin;
    EXPECT_GE(waited + milliseconds(5), milliseconds(wanted));
    EXPECT_LT(waited, milliseconds(std::max(wanted, 0) + 10'000));
  }
  pthread_mutex_unlock(&mutex);
}

TEST(NewerFunctions, AnExceptionLivesAsLongAsItsPointers) {
  const auto alive = std::make_shared<int>(7);
  std::exception_ptr first;
  try {
    throw alive;
  } catch (...) {
    first = std::current_exception();
  }
  {
    const std::exception_ptr second = first;
    first = nullptr;
    EXPECT_EQ(alive.use_count(), 2);
    try {
      std::rethrow_exception(second);
    } catch (const std::shared_ptr<int>& caught) {
      EXPECT_EQ(caught, alive);
    }
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace

}  // namespace reprise
