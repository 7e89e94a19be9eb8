// OpenSSL, which libparquet carries: how it is begun.
#pragma once

namespace reprise {

/// To be called before anything else of it. Tasks may be running while the process ends: what they
/// use must not be cleaned up before.
void UseCryptoWithoutEnd();

}  // namespace reprise
