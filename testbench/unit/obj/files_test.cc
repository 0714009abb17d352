// SPDX-License-Identifier: Apache-2.0
//
// Files that are written whole or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "toolchain/obj/wg_files.h"

namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "wg_files_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    dir = name;
    path = (dir / "out").string();
  }
  void TearDown() override { fs::remove_all(dir); }

  static std::string text(const std::string &file) {
    std::ifstream in(file);
    std::stringstream s;
    s << in.rdbuf();
    return s.str();
  }
  static void put(const std::string &file, const char *what) { std::ofstream(file) << what; }
  // How many files are in the folder: nothing but what is asked for may be left.
  size_t files() const {
    size_t n = 0;
    for (const auto &e : fs::directory_iterator(dir)) n += e.exists() ? 1u : 0u;
    return n;
  }

  fs::path dir;
  std::string path;
};

TEST_F(Files, TheNameIsThereWhenAllIsWritten) {
  FILE *f = wg_file_create(path.c_str());
  ASSERT_NE(f, nullptr);
  fputs("new", f);
  fflush(f);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(wg_file_close(f, path.c_str(), true));
  EXPECT_EQ(text(path), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Files, AnOlderFileStaysUntilThenAndKeepsItsMode) {
  put(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  FILE *f = wg_file_create(path.c_str());
  ASSERT_NE(f, nullptr);
  fputs("new", f);
  fflush(f);
  EXPECT_EQ(text(path), "old");
  EXPECT_TRUE(wg_file_close(f, path.c_str(), true));
  EXPECT_EQ(text(path), "new");
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0640u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Files, WhatIsNotGoodIsGone) {
  put(path, "old");
  FILE *f = wg_file_create(path.c_str());
  ASSERT_NE(f, nullptr);
  fputs("half", f);
  EXPECT_FALSE(wg_file_close(f, path.c_str(), false));
  EXPECT_EQ(text(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Files, WhoeverIsKilledLeavesTheOldFile) {
  put(path, "old");
  int pid = fork();
  if (pid == 0) {
    FILE *f = wg_file_create(path.c_str());
    if (f != nullptr) fputs("half", f), fflush(f);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(text(path), "old");
}

TEST_F(Files, AFullDiskIsToldAndTheOldFileStays) {
  for (bool big : {false, true}) { /* told when the file is closed, and while it is written */
    put(path, "old");
    int pid = fork();
    if (pid == 0) {
      signal(SIGXFSZ, SIG_IGN);
      struct rlimit limit = {1, 1};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(9);
      FILE *f = wg_file_create(path.c_str());
      if (f == nullptr) _exit(8);
      for (int i = 0; i < (big ? 100000 : 10); i++) fputc('x', f);
      bool whole = wg_file_close(f, path.c_str(), true);
      _exit(whole ? 7 : errno == EFBIG ? 0 : 6);
    }
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(text(path), "old");
    EXPECT_EQ(files(), 1u);
  }
}

TEST_F(Files, ALinkStaysALink) {
  std::string link = (dir / "link").string();
  put(path, "old");
  fs::create_symlink(path, link);
  FILE *f = wg_file_create(link.c_str());
  ASSERT_NE(f, nullptr);
  fputs("new", f);
  EXPECT_TRUE(wg_file_close(f, link.c_str(), true));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(text(path), "new");
  EXPECT_EQ(files(), 2u);
}

TEST_F(Files, APipeIsWrittenItself) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int pid = fork();
  if (pid == 0) {
    std::string got = text(path);
    _exit(got == "through" ? 0 : 1);
  }
  FILE *f = wg_file_create(path.c_str());
  ASSERT_NE(f, nullptr);
  fputs("through", f);
  EXPECT_TRUE(wg_file_close(f, path.c_str(), true));
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(Files, AFolderThatIsNotThereIsToldAtOnce) {
  errno = 0;
  EXPECT_EQ(wg_file_create((dir / "none" / "out").c_str()), nullptr);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
