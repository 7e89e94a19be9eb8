# Flags for every target. The oldest processors that the binaries run on are x86-64-v2 (SSE4.2, 2009) and armv8-a.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1 -DNDEBUG")
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers
                    -fvisibility=hidden -fno-omit-frame-pointer)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  add_compile_options(-march=x86-64-v2)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  # Results are those of x86_64, to the bit: a product is rounded before it is added, which instructions that the compiler
  # would take do not do and x86-64-v2 has none of, and a char has a sign.
  add_compile_options(-march=armv8-a -ffp-contract=off -fsigned-char)
endif()

set(REPRISE_SANITIZE "" CACHE STRING "Sanitizer to build the core with: address, undefined or thread")
if(REPRISE_SANITIZE)
  add_compile_options(-fsanitize=${REPRISE_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REPRISE_SANITIZE})
endif()
