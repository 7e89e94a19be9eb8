# Flags for every target. x86-64-v2 (SSE4.2, 2009) is the oldest processor the binaries run on.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1 -DNDEBUG")
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
                    -fvisibility=hidden -fno-omit-frame-pointer)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_compile_options(-march=x86-64-v2)
endif()

set(REPRISE_SANITIZE "" CACHE STRING "Sanitizer to build the core with: address, undefined or thread")
if(REPRISE_SANITIZE)
  add_compile_options(-fsanitize=${REPRISE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REPRISE_SANITIZE})
endif()
