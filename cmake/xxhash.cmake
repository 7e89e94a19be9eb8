# xxHash inlined from its header: nothing to link, so nothing that an executor would have to have installed.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(xxhash::inline INTERFACE IMPORTED GLOBAL)
target_compile_definitions(xxhash::inline INTERFACE XXH_INLINE_ALL)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  # Words by memcpy, as it reads them on x86_64. On ARM it would go by a type that what is hashed is not of, and the
  # compiler leave out that a value was put there.
  target_compile_definitions(xxhash::inline INTERFACE XXH_FORCE_MEMORY_ACCESS=0)
endif()
target_include_directories(xxhash::inline SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
