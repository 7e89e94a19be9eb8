// Spark's Murmur3Hash: what hash() gives, and what rows are distributed by.
#pragma once

#include <arrow/array.h>

#include <span>
#include <string_view>

#include "base/status.h"
#include "plan/nested_type.h"

namespace reprise {

/// The seed of HashPartitioning and of hash().
inline constexpr int32_t kMurmur3Seed = 42;

/// Replaces each row's hash by Murmur3Hash of the row's value with that hash as the seed; a null
/// leaves it as it is. `column` has hashes.size() rows; strings may be dictionary-encoded. As
/// Spark's HashExpression: booleans, bytes, shorts and dates hash as ints; -0.0 as 0.0; all NaNs
/// alike; decimals of up to 18 digits as longs, above as the bytes of the unscaled BigInteger;
/// arrays, maps and structs, whose type is `nested` (else null), as their parts one after the
/// other. Types without native form are Status::NotImplemented.
Status AddMurmur3(const arrow::Array& column, const NestedType* nested, std::span<int32_t> hashes);

/// The hash of bytes; of those of an UnsafeRow with kMurmur3Seed, UnsafeRow.hashCode().
int32_t Murmur3OfBytes(std::string_view bytes, int32_t seed);

}  // namespace reprise
