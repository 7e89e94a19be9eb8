# What the core is compiled against. Whoever links the built core includes this first.
include(${CMAKE_CURRENT_LIST_DIR}/arrow.cmake)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/xxhash.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/pcre2.cmake)
# The headers alone: libparquet, which everything is linked with, carries OpenSSL and exports it.
find_path(OPENSSL_INCLUDE openssl/evp.h REQUIRED)
