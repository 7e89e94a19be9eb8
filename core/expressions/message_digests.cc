// md5, sha1 and sha2: digests of bytes, in hexadecimal; crc32: their checksum.
// Input: one binary value; sha2: and the digest's bits, 224, 256, 384 or 512, where 0 is 256.
// Output: string, null for other bits; crc32: bigint.
//   md5("Spark") = "8cde774d6f7333752ed72cacddb05126";  crc32("Spark") = 1557323817
// Source: Spark's Md5, Sha1, Sha2 and Crc32.
#include <arrow/util/crc32.h>
#include <openssl/evp.h>

#include <array>
#include <memory>

#include "base/crypto_library.h"
#include "expressions/built_texts.h"
#include "expressions/checked_rows.h"
#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/string_values.h"

namespace reprise {

namespace {

/// An algorithm, looked up once: that takes longer than the digest of a short text.
const EVP_MD* Algorithm(const char* name) {
  UseCryptoWithoutEnd();
  return EVP_MD_fetch(nullptr, name, nullptr);
}

const EVP_MD* Md5(int32_t /*bits*/) {
  static const EVP_MD* const algorithm = Algorithm("MD5");
  return algorithm;
}

const EVP_MD* Sha1(int32_t /*bits*/) {
  static const EVP_MD* const algorithm = Algorithm("SHA1");
  return algorithm;
}

bool HasSha2(int32_t bits) {
  return bits == 0 || bits == 224 || bits == 256 || bits == 384 || bits == 512;
}

const EVP_MD* Sha2(int32_t bits) {
  static const EVP_MD* const sha224 = Algorithm("SHA2-224");
  static const EVP_MD* const sha256 = Algorithm("SHA2-256");
  static const EVP_MD* const sha384 = Algorithm("SHA2-384");
  static const EVP_MD* const sha512 = Algorithm("SHA2-512");
  switch (bits) {
    case 224:
      return sha224;
    case 384:
      return sha384;
    case 512:
      return sha512;
    default:
      return sha256;
  }
}

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

/// Makes digests one after the other.
class Digester {
 public:
  Digester() : context_(EVP_MD_CTX_new()) {}

  Status Append(const EVP_MD* algorithm, std::string_view bytes, std::string* out) {
    std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    const bool made = context_ != nullptr && algorithm != nullptr &&
                      EVP_DigestInit_ex(context_.get(), algorithm, nullptr) == 1 &&
                      EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1 &&
                      EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1;
    if (!made) return Status::ExecutionError("the library of digests gives none");
    constexpr char kDigits[] = "0123456789abcdef";
    for (unsigned int i = 0; i < size; ++i) {
      out->push_back(kDigits[digest[i] >> 4]);
      out->push_back(kDigits[digest[i] & 15]);
    }
    return Status::OK();
  }

 private:
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context_;
};

/// `kAlgorithm` is that of so many bits, which are 0 where there is no argument of them.
template <const EVP_MD* (*kAlgorithm)(int32_t bits)>
class Digest final : public NullIntolerant {
 public:
  explicit Digest(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyStrings bytes(arguments[0]);
    const auto bits =
        arguments.size() > 1 ? AnyValues<int32_t>(arguments[1]) : AnyValues<int32_t>();
    std::vector<int32_t> without;
    for (int64_t row = 0; row < row_count; ++row) {
      if (nulls.IsValid(row) && !HasSha2(bits[row])) {
        without.push_back(static_cast<int32_t>(row));
      }
    }
    ARROW_ASSIGN_OR_RAISE(const Nulls all_nulls, WithNullAt(nulls, without, row_count, pool));
    Digester digester;
    return BuildTexts(all_nulls, row_count, pool, [&](int64_t row, std::string* out) {
      return digester.Append(kAlgorithm(bits[row]), bytes[row], out);
    });
  }
};

class Crc32 final : public NullIntolerant {
 public:
  explicit Crc32(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), /*can_fail=*/false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    const AnyStrings bytes(arguments[0]);
    ARROW_ASSIGN_OR_RAISE(auto values, AllRowsOf<int64_t>(row_count, pool, [&](int64_t row) {
                            if (!nulls.IsValid(row)) return int64_t{0};
                            const std::string_view value = bytes[row];
                            return int64_t{arrow::internal::crc32(0, value.data(), value.size())};
                          }));
    return ToArray(std::move(values), nulls, row_count);
  }
};

}  // namespace

MadeExpression MakeMd5(FunctionCall call) { return std::make_unique<Digest<Md5>>(std::move(call)); }

MadeExpression MakeSha1(FunctionCall call) {
  return std::make_unique<Digest<Sha1>>(std::move(call));
}

MadeExpression MakeSha2(FunctionCall call) {
  return std::make_unique<Digest<Sha2>>(std::move(call));
}

MadeExpression MakeCrc32(FunctionCall call) { return std::make_unique<Crc32>(std::move(call)); }

}  // namespace reprise
