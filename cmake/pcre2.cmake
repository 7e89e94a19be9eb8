# Its static library, so that an executor need not have it.
find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)
find_library(PCRE2_LIBRARY NAMES libpcre2-8.a REQUIRED)
add_library(pcre2::static STATIC IMPORTED GLOBAL)
set_target_properties(pcre2::static PROPERTIES IMPORTED_LOCATION ${PCRE2_LIBRARY})
target_include_directories(pcre2::static SYSTEM INTERFACE ${PCRE2_INCLUDE_DIR})
target_compile_definitions(pcre2::static INTERFACE PCRE2_STATIC)
