#include "scan/orc_tail.h"

#include <algorithm>
#include <protozero/pbf_message.hpp>

namespace reprise {

namespace {

using Tag = protozero::pbf_tag_type;

// Fields by their numbers.
enum class PostScript : Tag {
  kFooterLength = 1,
  kCompression = 2,
  kBlockSize = 3,
  kWriterVersion = 6,
  kMagic = 8000
};
enum class Footer : Tag {
  kStripes = 3,
  kTypes = 4,
  kRows = 6,
  kStatistics = 7,
  kIndexRows = 8,
  kEncryption = 10,
  kCalendar = 11
};
enum class Stripe : Tag { kStart = 1, kIndex = 2, kData = 3, kFooter = 4, kRows = 5 };
enum class Type : Tag {
  kKind = 1,
  kChildren = 2,
  kNames = 3,
  kPrecision = 5,
  kScale = 6,
  kAttributes = 7
};
enum class Pair : Tag { kKey = 1, kValue = 2 };
enum class StripeFooter : Tag { kStreams = 1, kEncodings = 2, kZone = 3, kEncryption = 4 };
enum class Stream : Tag { kKind = 1, kColumn = 2, kLength = 3 };
enum class Encoding : Tag { kKind = 1, kDictionarySize = 2 };
enum class RowIndex : Tag { kEntries = 1 };
enum class IndexEntry : Tag { kPositions = 1, kStatistics = 2 };
template <class Message>
using Reader = protozero::pbf_message<Message>;

constexpr int64_t kPostScriptMax = 256;
constexpr int64_t kTailGuess = int64_t{16} << 10;
constexpr int64_t kBlockMax = int64_t{1} << 23;  // what a header has room for
constexpr int64_t kRowsMax = int64_t{1} << 48;   // far more than any stripe has
constexpr int32_t kProleptic = 2;                // CalendarKind
constexpr std::string_view kSparkType = "spark.sql.catalyst.type";

/// What protozero throws becomes a Status.
template <class Body>
auto Parsed(std::string_view what, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const protozero::exception&) {
    return Status::Invalid("its ", what, " is not well formed");
  }
}

std::string_view TextOf(const arrow::Buffer& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(bytes.size())};
}

/// Lengths and counts that no file has become negative, for the check that follows.
int64_t Length(uint64_t value) { return static_cast<int64_t>(value); }

/// Nothing for a kind that is not read.
Result<std::optional<OrcCompression>> CompressionOf(int32_t kind, uint64_t block_size) {
  using arrow::Compression;
  constexpr int32_t kNone = 0, kZlib = 1, kSnappy = 2, kLz4 = 4, kZstd = 5;
  OrcCompression compression;
  compression.block_bytes = Length(block_size);
  if (kind == kNone) return compression;
  if (compression.block_bytes <= 0 || compression.block_bytes > kBlockMax) {
    return Status::Invalid("its blocks are said to have ", block_size, " bytes");
  }
  std::unique_ptr<arrow::util::Codec> codec;
  if (kind == kZlib) {
    arrow::util::GZipCodecOptions options;
    options.gzip_format = arrow::util::GZipFormat::DEFLATE;
    ARROW_ASSIGN_OR_RAISE(codec, arrow::util::Codec::Create(Compression::GZIP, options));
  } else if (kind == kSnappy || kind == kLz4 || kind == kZstd) {
    const auto type = kind == kSnappy ? Compression::SNAPPY
                      : kind == kLz4  ? Compression::LZ4
                                      : Compression::ZSTD;
    ARROW_ASSIGN_OR_RAISE(codec, arrow::util::Codec::Create(type));
  } else {
    return std::nullopt;
  }
  compression.codec = std::move(codec);
  return compression;
}

OrcType TypeOf(Reader<Type> message) {
  OrcType type;
  while (message.next()) {
    switch (message.tag()) {
      case Type::kKind:
        type.kind = static_cast<OrcKind>(message.get_enum());
        break;
      case Type::kChildren:
        if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
          for (const uint32_t child : message.get_packed_uint32()) type.children.push_back(child);
        } else {
          type.children.push_back(message.get_uint32());
        }
        break;
      case Type::kNames:
        type.names.push_back(message.get_string());
        break;
      case Type::kPrecision:
        type.precision = static_cast<int>(message.get_uint32());
        break;
      case Type::kScale:
        type.scale = static_cast<int>(message.get_uint32());
        break;
      case Type::kAttributes: {
        Reader<Pair> pair(message.get_message());
        std::string key;
        std::string value;
        while (pair.next()) (pair.tag() == Pair::kKey ? key : value) = pair.get_string();
        if (key == kSparkType) type.spark_type = std::move(value);
        break;
      }
      default:
        message.skip();
    }
  }
  return type;
}

OrcStripe StripeOf(Reader<Stripe> message) {
  OrcStripe stripe;
  while (message.next()) {
    switch (message.tag()) {
      case Stripe::kStart:
        stripe.start = Length(message.get_uint64());
        break;
      case Stripe::kIndex:
        stripe.index_bytes = Length(message.get_uint64());
        break;
      case Stripe::kData:
        stripe.data_bytes = Length(message.get_uint64());
        break;
      case Stripe::kFooter:
        stripe.footer_bytes = Length(message.get_uint64());
        break;
      case Stripe::kRows:
        stripe.rows = Length(message.get_uint64());
        break;
      default:
        message.skip();
    }
  }
  return stripe;
}

void ReadFooter(Reader<Footer> message, OrcTail* tail) {
  while (message.next()) {
    switch (message.tag()) {
      case Footer::kStripes:
        tail->stripes.push_back(StripeOf(Reader<Stripe>(message.get_message())));
        break;
      case Footer::kTypes:
        tail->types.push_back(TypeOf(Reader<Type>(message.get_message())));
        break;
      case Footer::kRows:
        tail->rows = Length(message.get_uint64());
        break;
      case Footer::kStatistics:
        tail->statistics.push_back(message.get_string());
        break;
      case Footer::kIndexRows:
        tail->index_rows = Length(message.get_uint32());
        break;
      case Footer::kEncryption:
        tail->is_encrypted = true;
        message.skip();
        break;
      case Footer::kCalendar:
        tail->is_proleptic = message.get_enum() == kProleptic;
        break;
      default:
        message.skip();
    }
  }
}

/// Numbers of types are those of a tree, in which a child comes behind its parent.
bool AreTree(const std::vector<OrcType>& types) {
  for (size_t i = 0; i < types.size(); ++i) {
    for (const uint32_t child : types[i].children) {
      if (child <= i || child >= types.size()) return false;
    }
    const bool is_struct = types[i].kind == OrcKind::kStruct;
    if (is_struct && types[i].names.size() != types[i].children.size()) return false;
  }
  return !types.empty();
}

bool LiesIn(const OrcStripe& stripe, int64_t end) {
  int64_t left = end;
  for (const int64_t bytes :
       {stripe.start, stripe.index_bytes, stripe.data_bytes, stripe.footer_bytes}) {
    if (bytes < 0 || bytes > left) return false;
    left -= bytes;
  }
  return stripe.rows >= 0 && stripe.rows <= kRowsMax;
}

struct Ends {
  int64_t footer_bytes = 0;
  int32_t compression = 0;
  uint64_t block_size = 0;
  uint32_t writer_version = 0;
  bool has_magic = false;
};

Ends EndsOf(Reader<PostScript> message) {
  Ends ends;
  while (message.next()) {
    switch (message.tag()) {
      case PostScript::kFooterLength:
        ends.footer_bytes = Length(message.get_uint64());
        break;
      case PostScript::kCompression:
        ends.compression = message.get_enum();
        break;
      case PostScript::kBlockSize:
        ends.block_size = message.get_uint64();
        break;
      case PostScript::kWriterVersion:
        ends.writer_version = message.get_uint32();
        break;
      case PostScript::kMagic:
        ends.has_magic = message.get_string() == "ORC";
        break;
      default:
        message.skip();
    }
  }
  return ends;
}

OrcStoredStream StreamOf(Reader<Stream> message) {
  OrcStoredStream stream;
  while (message.next()) {
    switch (message.tag()) {
      case Stream::kKind:
        stream.kind = static_cast<OrcStreamKind>(message.get_enum());
        break;
      case Stream::kColumn:
        stream.column = message.get_uint32();
        break;
      case Stream::kLength:
        stream.bytes = Length(message.get_uint64());
        break;
      default:
        message.skip();
    }
  }
  return stream;
}

OrcEncoding EncodingOf(Reader<Encoding> message) {
  OrcEncoding encoding;
  while (message.next()) {
    switch (message.tag()) {
      case Encoding::kKind:
        encoding.kind = static_cast<OrcEncodingKind>(message.get_enum());
        break;
      case Encoding::kDictionarySize:
        encoding.dictionary_size = message.get_uint32();
        break;
      default:
        message.skip();
    }
  }
  return encoding;
}

}  // namespace

Result<OrcTail> OrcTail::Read(arrow::io::RandomAccessFile* file, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(const int64_t size, file->GetSize());
  const int64_t guess = std::min(size, kTailGuess);
  ARROW_ASSIGN_OR_RAISE(auto end, file->ReadAt(size - guess, guess));
  if (end->size() < 1) return Status::Invalid("it is empty");
  const int64_t postscript = end->data()[end->size() - 1];
  if (postscript + 1 > end->size() || postscript > kPostScriptMax) {
    return Status::Invalid("it is too short");
  }
  const std::string_view text = TextOf(*end).substr(end->size() - 1 - postscript, postscript);
  ARROW_ASSIGN_OR_RAISE(const Ends ends, Parsed("postscript", [&]() -> Result<Ends> {
                          return EndsOf(Reader<PostScript>(text.data(), text.size()));
                        }));
  if (!ends.has_magic) return Status::Invalid("it does not end as ORC files do");
  const int64_t footer_end = size - 1 - postscript;
  if (ends.footer_bytes < 0 || ends.footer_bytes > footer_end) {
    return Status::Invalid("its footer is said to have ", ends.footer_bytes, " bytes");
  }
  OrcTail tail;
  ARROW_ASSIGN_OR_RAISE(tail.compression, CompressionOf(ends.compression, ends.block_size));
  // Of the first writer, whose bounds of strings were not those of their bytes.
  tail.bounds_are_trusted = ends.writer_version > 0;
  if (!tail.compression) return tail;
  ARROW_ASSIGN_OR_RAISE(auto stored,
                        file->ReadAt(footer_end - ends.footer_bytes, ends.footer_bytes));
  ARROW_ASSIGN_OR_RAISE(const auto footer,
                        AllOf(OrcStream(std::move(stored), *tail.compression, pool), pool));
  RETURN_NOT_OK(Parsed("footer", [&] {
    const std::string_view bytes = TextOf(*footer);
    ReadFooter(Reader<Footer>(bytes.data(), bytes.size()), &tail);
    return Status::OK();
  }));
  if (!AreTree(tail.types)) return Status::Invalid("its types are no tree");
  for (const OrcStripe& stripe : tail.stripes) {
    if (LiesIn(stripe, footer_end)) continue;
    return Status::Invalid("a stripe does not lie in the file, or has no possible number of rows");
  }
  return tail;
}

Result<OrcStripeFooter> OrcStripeFooter::Of(const OrcStripe& stripe, OrcStream stored,
                                            arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(const auto bytes, AllOf(std::move(stored), pool));
  const std::string_view text = TextOf(*bytes);
  OrcStripeFooter footer;
  RETURN_NOT_OK(Parsed("stripe's footer", [&] {
    Reader<StripeFooter> message(text.data(), text.size());
    while (message.next()) {
      switch (message.tag()) {
        case StripeFooter::kStreams:
          footer.streams.push_back(StreamOf(Reader<Stream>(message.get_message())));
          break;
        case StripeFooter::kEncodings:
          footer.encodings.push_back(EncodingOf(Reader<Encoding>(message.get_message())));
          break;
        case StripeFooter::kZone:
          footer.zone = message.get_string();
          break;
        default:
          message.skip();
      }
    }
    return Status::OK();
  }));
  int64_t at = stripe.start;
  int64_t left = stripe.index_bytes + stripe.data_bytes;
  for (OrcStoredStream& stream : footer.streams) {
    if (stream.bytes < 0 || stream.bytes > left) {
      return Status::Invalid("a stream does not lie in its stripe");
    }
    stream.start = at;
    at += stream.bytes;
    left -= stream.bytes;
  }
  return footer;
}

const OrcStoredStream* OrcStripeFooter::Find(uint32_t column, OrcStreamKind kind) const {
  const auto found = std::ranges::find_if(streams, [&](const OrcStoredStream& stream) {
    return stream.column == column && stream.kind == kind;
  });
  return found == streams.end() ? nullptr : &*found;
}

Result<std::vector<OrcIndexEntry>> ReadOrcIndex(OrcStream stored, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(const auto bytes, AllOf(std::move(stored), pool));
  const std::string_view text = TextOf(*bytes);
  std::vector<OrcIndexEntry> entries;
  RETURN_NOT_OK(Parsed("index", [&] {
    Reader<RowIndex> message(text.data(), text.size());
    while (message.next(RowIndex::kEntries)) {
      OrcIndexEntry& entry = entries.emplace_back();
      Reader<IndexEntry> parts(message.get_message());
      while (parts.next()) {
        if (parts.tag() == IndexEntry::kPositions) {
          if (parts.wire_type() == protozero::pbf_wire_type::length_delimited) {
            for (const uint64_t at : parts.get_packed_uint64()) entry.positions.push_back(at);
          } else {
            entry.positions.push_back(parts.get_uint64());
          }
        } else if (parts.tag() == IndexEntry::kStatistics) {
          entry.statistics = parts.get_string();
        } else {
          parts.skip();
        }
      }
    }
    return Status::OK();
  }));
  return entries;
}

}  // namespace reprise
