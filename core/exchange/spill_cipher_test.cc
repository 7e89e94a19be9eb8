#include "exchange/spill_cipher.h"

#include <gtest/gtest.h>

#include <vector>

#include "exchange/column_testing.h"

namespace reprise {
namespace {

using testing::Good;

std::string Bytes(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

SpillCipher CipherAt(std::string_view key, std::string_view first) {
  SpillCipher::Counter counter;
  const std::string bytes = Bytes(first);
  std::copy(bytes.begin(), bytes.end(), counter.begin());
  return Good(SpillCipher::Make(Bytes(key), counter));
}

std::string Applied(const SpillCipher& cipher, int64_t position, std::string text) {
  auto* bytes = reinterpret_cast<uint8_t*>(text.data());
  EXPECT_TRUE(cipher.Apply(position, bytes, bytes, std::ssize(text)).ok());
  return text;
}

// NIST SP 800-38A, F.5.1, F.5.3 and F.5.5. The counter's last byte is at its end.
constexpr std::string_view kFirst = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
constexpr std::string_view kPlain =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";

TEST(SpillCipher, IsAesInCounterMode) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"2b7e151628aed2a6abf7158809cf4f3c",
       "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
       "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
      {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
       "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
       "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050"},
      {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
       "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
       "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"}};
  for (const auto& [key, encrypted] : cases) {
    EXPECT_EQ(Applied(CipherAt(key, kFirst), 0, Bytes(kPlain)), Bytes(encrypted));
  }
}

TEST(SpillCipher, ReadsAnyBytesAlone) {
  const std::string key = "2b7e151628aed2a6abf7158809cf4f3c";
  // All its digits carry.
  const SpillCipher cipher = CipherAt(key, "ffffffffffffffffffffffffffffffff");
  const std::string plain(1000, 'x');
  const std::string encrypted = Applied(cipher, 0, plain);
  for (const size_t begin : {0, 1, 15, 16, 17, 500, 999}) {
    for (const size_t size : {1, 15, 16, 33, 500}) {
      EXPECT_EQ(Applied(cipher, static_cast<int64_t>(begin), encrypted.substr(begin, size)),
                plain.substr(begin, size))
          << begin << " " << size;
    }
  }
  EXPECT_EQ(Applied(CipherAt(key, "00000000000000000000000000000000"), 0, plain),
            Applied(cipher, 16, plain));
}

}  // namespace
}  // namespace reprise
