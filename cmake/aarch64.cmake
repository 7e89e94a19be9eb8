# Toolchain file: the core for aarch64, built on x86_64 by Debian's cross compiler; tests run in QEMU's emulator of
# processors. Headers without anything of an architecture are the system's; what else is linked lies in build/aarch64-parts
# (build-support/aarch64_parts.sh).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L /usr/aarch64-linux-gnu)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH repository)
set(aarch64_parts ${repository}/build/aarch64-parts)
set(CMAKE_FIND_ROOT_PATH ${aarch64_parts})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(REPRISE_PYARROW ${aarch64_parts}/pyarrow)
# Behind the system's folders, which have the headers that are the same on all architectures.
set(CMAKE_CXX_FLAGS_INIT
    "-idirafter ${aarch64_parts}/usr/include/aarch64-linux-gnu -idirafter ${aarch64_parts}/usr/include")
