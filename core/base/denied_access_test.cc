#include "base/denied_access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

namespace reprise {
namespace {

namespace fs = std::filesystem;

class DeniedAccessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "denied-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    ::chmod(folder_.c_str(), 0700);
    fs::remove_all(folder_);
  }

  std::string folder_;
};

TEST_F(DeniedAccessTest, TheFolderThatAFileWasToBeMadeIn) {
  ASSERT_EQ(::chmod(folder_.c_str(), 0750), 0);
  const std::string text = DenialText(folder_ + "/new/file", EACCES);
  const std::string begin = "; " + folder_ + " is user ";
  ASSERT_EQ(text.rfind(begin, 0), 0U) << text;
  const std::string rest = text.substr(begin.size());
  const std::string user = rest.substr(0, rest.find('\''));
  EXPECT_FALSE(user.empty());
  EXPECT_EQ(rest, user + "'s, with mode 0750, and this process is user " + user + "'s");
}

TEST_F(DeniedAccessTest, AFileThatExists) {
  const std::string file = folder_ + "/file";
  ASSERT_EQ(::mknod(file.c_str(), S_IFREG | 0600, 0), 0);
  EXPECT_EQ(DenialText(file, EPERM).rfind("; " + file + " is user ", 0), 0U);
}

TEST_F(DeniedAccessTest, OtherErrorsSayNothing) {
  EXPECT_EQ(DenialText(folder_ + "/new", ENOSPC), "");
  EXPECT_EQ(DenialText("", EACCES), "");
}

}  // namespace
}  // namespace reprise
