#include "base/crypto_library.h"

#include <openssl/crypto.h>

namespace reprise {

void UseCryptoWithoutEnd() {
  static const int done =
      OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  (void)done;
}

}  // namespace reprise
