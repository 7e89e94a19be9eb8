#include "exchange/spill_cipher.h"

#include <openssl/evp.h>
#include <sys/random.h>

#include <algorithm>
#include <memory>

#include "base/crypto_library.h"

namespace reprise {

namespace {

constexpr int64_t kBlockBytes = 16;
constexpr int64_t kPieceBytes = int64_t{1} << 30;  // OpenSSL counts in ints

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const EVP_CIPHER* CipherOf(size_t key_bytes) {
  switch (key_bytes) {
    case 16:
      return EVP_aes_128_ctr();
    case 24:
      return EVP_aes_192_ctr();
    case 32:
      return EVP_aes_256_ctr();
    default:
      return nullptr;
  }
}

}  // namespace

Result<SpillCipher> SpillCipher::Make(std::string_view key, const Counter& first) {
  if (CipherOf(key.size()) == nullptr) {
    return Status::Invalid("the key for spill files has ", key.size(),
                           " bytes, expected 16, 24 or 32");
  }
  return SpillCipher(key, first);
}

Result<SpillCipher::Counter> SpillCipher::RandomCounter() {
  Counter counter;
  if (getrandom(counter.data(), counter.size(), 0) != static_cast<ssize_t>(counter.size())) {
    return Status::IOError("the system gives no random bytes to encrypt a spill file with");
  }
  return counter;
}

Status SpillCipher::Apply(int64_t position, const uint8_t* in, uint8_t* out, int64_t size) const {
  UseCryptoWithoutEnd();
  Counter counter = first_;
  auto carry = static_cast<uint64_t>(position / kBlockBytes);
  for (auto digit = counter.rbegin(); digit != counter.rend() && carry > 0; ++digit) {
    carry += *digit;
    *digit = static_cast<uint8_t>(carry);
    carry >>= 8;
  }
  const CipherContext context(EVP_CIPHER_CTX_new());
  const auto* key = reinterpret_cast<const uint8_t*>(key_.data());
  std::array<uint8_t, kBlockBytes> before{};  // of the block in which the bytes begin
  int written = 0;
  bool good =
      context != nullptr &&
      EVP_EncryptInit_ex(context.get(), CipherOf(key_.size()), nullptr, key, counter.data()) == 1 &&
      EVP_EncryptUpdate(context.get(), before.data(), &written, before.data(),
                        static_cast<int>(position % kBlockBytes)) == 1;
  for (int64_t done = 0; good && done < size; done += kPieceBytes) {
    good = EVP_EncryptUpdate(context.get(), out + done, &written, in + done,
                             static_cast<int>(std::min(size - done, kPieceBytes))) == 1;
  }
  return good ? Status::OK() : Status::ExecutionError("OpenSSL cannot encrypt ", size, " bytes");
}

}  // namespace reprise
