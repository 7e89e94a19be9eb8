// Functions and variables that headers and the static libstdc++ use and glibc 2.28 has not, by what
// it has. They are hidden, so that nobody else takes them for glibc's.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

extern "C" {

// As glibc before 2.33 has them; the number is that of the architecture's `struct stat`.
int __xstat(int version, const char* path, struct stat* to);
int __lxstat(int version, const char* path, struct stat* to);
int __fxstat(int version, int file, struct stat* to);
int __fxstatat(int version, int folder, const char* path, struct stat* to, int flags);
#if defined(__x86_64__)
static constexpr int kStatVersion = 1;
#elif defined(__aarch64__)
static constexpr int kStatVersion = 0;
#endif

int stat(const char* path, struct stat* to) noexcept { return __xstat(kStatVersion, path, to); }
int lstat(const char* path, struct stat* to) noexcept { return __lxstat(kStatVersion, path, to); }
int fstat(int file, struct stat* to) noexcept { return __fxstat(kStatVersion, file, to); }
int fstatat(int folder, const char* path, struct stat* to, int flags) noexcept {
  return __fxstatat(kStatVersion, folder, path, to, flags);
}

// Since 2.30.
pid_t gettid() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

// Since 2.32: true lets shared pointers count without atomic instructions.
char __libc_single_threaded = 0;

// pthread_cond_clockwait where glibc has none: the time left is counted on the clock that a
// condition variable has by itself. Who waits looks at his own clock once more.
int WaitOnWallClock(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                    const timespec* until) {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec now;
  timespec wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  const int64_t nanoseconds = wall.tv_nsec + until->tv_nsec - now.tv_nsec + kSecond;
  wall.tv_sec += until->tv_sec - now.tv_sec + nanoseconds / kSecond - 1;
  wall.tv_nsec = nanoseconds % kSecond;
  return pthread_cond_timedwait(condition, mutex, &wall);
}

// Since 2.30.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  using ClockWait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  static const auto newer =
      reinterpret_cast<ClockWait>(dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  return (newer != nullptr ? newer : WaitOnWallClock)(condition, mutex, clock, until);
}

// Since GCC 12 headers count an exception pointer's copies by these. Older libraries have its copy
// constructor and destructor, which do so too; taken from the static library the rest of exceptions
// would come along.
void ConstructCopy(void** copy, void* const* of) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_");
void Destroy(void** pointer) noexcept asm("_ZNSt15__exception_ptr13exception_ptrD1Ev");
void AddReference(void* const* pointer) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void Release(void* const* pointer) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");

void AddReference(void* const* pointer) noexcept {
  void* copy;
  ConstructCopy(&copy, pointer);
}

void Release(void* const* pointer) noexcept {
  void* copy = *pointer;
  Destroy(&copy);
}

}  // extern "C"
