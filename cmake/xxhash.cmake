# xxHash inlined from its header: nothing to link, so nothing that an executor would have to have installed.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(xxhash::inline INTERFACE IMPORTED GLOBAL)
target_compile_definitions(xxhash::inline INTERFACE XXH_INLINE_ALL)
target_include_directories(xxhash::inline SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
