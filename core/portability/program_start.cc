// The first call of a program, which newer start files leave to glibc (2.34): there it calls what
// is to run before main() by itself. An older one is given a function for that.
#include <cstddef>

extern "C" {

using Main = int (*)(int, char**, char**);
using Begin = void (*)(int, char**, char**);
using End = void (*)();

// From the linker and the start files.
extern Begin __preinit_array_start[] __attribute__((visibility("hidden")));
extern Begin __preinit_array_end[] __attribute__((visibility("hidden")));
extern Begin __init_array_start[] __attribute__((visibility("hidden")));
extern Begin __init_array_end[] __attribute__((visibility("hidden")));
void _init();

int __real___libc_start_main(Main main, int argc, char** argv, Begin begin, End end,
                             End end_of_loader, void* stack_end);

static void RunConstructors(int argc, char** argv, char** environment) {
  for (Begin* call = __preinit_array_start; call != __preinit_array_end; ++call) {
    (*call)(argc, argv, environment);
  }
  _init();
  for (Begin* call = __init_array_start; call != __init_array_end; ++call) {
    (*call)(argc, argv, environment);
  }
}

int __wrap___libc_start_main(Main main, int argc, char** argv, Begin, End end, End end_of_loader,
                             void* stack_end) {
  return __real___libc_start_main(main, argc, argv, RunConstructors, end, end_of_loader, stack_end);
}

}  // extern "C"
