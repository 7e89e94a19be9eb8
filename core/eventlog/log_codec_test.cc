#include "eventlog/log_codec.h"

#include <gmock/gmock.h>

#include "eventlog/log_testing.h"

namespace reprise {
namespace {

using testing::HasSubstr;

struct Decoded {
  std::string text;
  std::string codec;
  std::string damage;
};

Decoded Decode(const std::string& path, size_t step = 1000) {
  const auto bytes = LogBytes::Open(path).ValueOrDie();
  Decoded decoded;
  std::string piece(step, 0);
  for (;;) {
    const size_t read =
        bytes->Read(reinterpret_cast<uint8_t*>(piece.data()), piece.size()).ValueOrDie();
    if (read == 0) break;
    decoded.text.append(piece, 0, read);
  }
  decoded.codec = bytes->codec();
  decoded.damage = bytes->damage();
  return decoded;
}

class Codecs : public testing::TestWithParam<TestCodec> {
 protected:
  LogFolder folder_;
};

TEST_P(Codecs, GiveTheTextBack) {
  const std::string text = SmallLog();
  const std::string path = folder_.Write("log", GetParam().encode(text));
  for (const size_t step : {size_t{1}, size_t{777}, size_t{1} << 20}) {
    const Decoded decoded = Decode(path, step);
    EXPECT_EQ(decoded.text, text);
    EXPECT_EQ(decoded.codec, GetParam().name);
    EXPECT_EQ(decoded.damage, "");
  }
}

TEST_P(Codecs, GoOnWhereAnotherStreamFollows) {
  const std::string text = SmallLog();
  const std::string stream = GetParam().encode(text);
  EXPECT_EQ(Decode(folder_.Write("log", stream + stream)).text, text + text);
}

// What stands before the cut comes out, and the cut is seen, unless it falls between two frames.
TEST_P(Codecs, GiveWhatIsThereWhereverTheFileIsCut) {
  const std::string text = SmallLog();
  const std::string stream = GetParam().encode(text);
  size_t whole = 0;
  size_t longest = 0;
  for (size_t size = 0; size <= stream.size(); ++size) {
    const Decoded decoded = Decode(folder_.Write("log", stream.substr(0, size)));
    if (size >= 8) {
      ASSERT_EQ(decoded.text, text.substr(0, decoded.text.size())) << size;
      ASSERT_GE(decoded.text.size(), longest) << size;
      longest = decoded.text.size();
      if (decoded.damage.empty()) {
        ++whole;
      } else {
        ASSERT_THAT(decoded.damage, HasSubstr("ends inside the ")) << size;
      }
    }
  }
  EXPECT_EQ(longest, text.size());
  if (std::string_view(GetParam().name) != "none") {
    EXPECT_LE(whole, 10u);
  }
}

TEST_P(Codecs, SurviveRandomDamage) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  const std::string text = SmallLog();
  const std::string stream = GetParam().encode(text);
  for (int round = 0; round < 1000; ++round) {
    std::string damaged = stream;
    for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const Decoded decoded = Decode(folder_.Write("log", damaged), 1 << 16);
    ASSERT_LE(decoded.text.size(), size_t{128} << 20);
  }
}

INSTANTIATE_TEST_SUITE_P(OfSpark, Codecs, testing::ValuesIn(TestCodecs()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(LzfBytes, RepeatsWhatItIsWriting) {
  const LogFolder folder;
  // Literal "ab"; 6 bytes from 2 back; 264 bytes from 1 back, the longest piece.
  const std::string data = std::string("\1ab") + "\x80\1" + "\xe0\xff" + std::string(1, '\0');
  const std::string chunk =
      std::string("ZV\1") + BigEndian(data.size(), 2) + BigEndian(2 + 6 + 264, 2) + data;
  EXPECT_EQ(Decode(folder.Write("log", chunk)).text, "abababab" + std::string(264, 'b'));
}

TEST(LogBytes, SaysWhereAFileIsDamaged) {
  const LogFolder folder;
  std::string stream = TestCodecs()[2].encode(SmallLog());
  stream[21 + 700 + 40] ^= 1;
  const Decoded decoded = Decode(folder.Write("log", stream));
  EXPECT_EQ(decoded.text.size(), 700u);
  EXPECT_THAT(decoded.damage, HasSubstr("its lz4 chunk at byte 721 "));
}

TEST(LogBytes, NamesAFileThatIsNotThere) {
  EXPECT_EQ(LogBytes::Open("/nowhere/log").status().message(),
            "cannot read /nowhere/log: No such file or directory");
}

}  // namespace
}  // namespace reprise
