// SPDX-License-Identifier: Apache-2.0
/// \file
/// control: who may speak to a run, and how.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/sections.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A file that vanishes.
class SecretFile {
 public:
  SecretFile(std::string_view text, mode_t mode) {
    const int fd = mkstemp(path_.data());
    EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    EXPECT_EQ(::fchmod(fd, mode), 0);
    ::close(fd);
  }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;
  ~SecretFile() { ::unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "hild-token-XXXXXX";
};

/// What stands under control:, at line 5 of the file.
Result<Config> control(const std::string& entries) {
  return fakes::read(fakes::head + "control: {" + entries + "}\n");
}
std::string refused(const std::string& entries) { return fakes::error_of(control(entries)); }

TEST(Control, IsNotThereUnlessWritten) {
  const auto config = fakes::read(fakes::head);
  ASSERT_TRUE(config);
  EXPECT_FALSE(config->control);
  EXPECT_EQ(config->settings.snapshot_every, 0) << "nobody reads images";
}

TEST(Control, Defaults) {
  const auto config = control("");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_TRUE(config->control);
  const Control& c = *config->control;
  EXPECT_EQ(c.socket, "auto");
  EXPECT_EQ(c.mode, 0660U);
  EXPECT_EQ(c.group, "");
  EXPECT_EQ(c.address, "");
  EXPECT_TRUE(c.writing);
  EXPECT_TRUE(c.http_writing);
  EXPECT_EQ(c.message, 65536U);
  EXPECT_EQ(c.depth, 16U);
  EXPECT_EQ(c.clients, 100U);
  EXPECT_EQ(c.rate, 2000);
  EXPECT_EQ(config->settings.snapshot_every, 1);
}

TEST(Control, AllOfIt) {
  const SecretFile token("0123456789abcdef\n", 0640);
  const auto config = control(
      "socket: /run/x.sock, mode: 0600, group: users, http: '127.0.0.7:80', token_file: " +
      token.path() + ", writing: false, limits: {message: 1024, depth: 4, clients: 1, rate: 7}");
  ASSERT_TRUE(config) << config.error().message;
  const Control& c = *config->control;
  EXPECT_EQ(c.socket, "/run/x.sock");
  EXPECT_EQ(c.mode, 0600U);
  EXPECT_EQ(c.group, "users");
  EXPECT_EQ(c.address, "127.0.0.7");
  EXPECT_EQ(c.port, 80);
  EXPECT_EQ(c.token, "0123456789abcdef") << "without the line end";
  EXPECT_FALSE(c.writing);
  EXPECT_FALSE(c.http_writing);
  EXPECT_EQ(c.message, 1024U);
  EXPECT_EQ(c.depth, 4U);
  EXPECT_EQ(c.clients, 1U);
  EXPECT_EQ(c.rate, 7);
}

TEST(Control, ImagesAreNoMoreThanAThousandASecond) {
  for (const auto& [period, every] : {std::pair{"10 ms", 1}, {"1 ms", 1}, {"50 us", 20}}) {
    const auto config = fakes::read(fakes::head + "control: {}\n", {{"frame.period", period}});
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->settings.snapshot_every, every) << period;
  }
}

TEST(Control, LoopbackNeedsNoToken) {
  for (const auto& [text, address] : {std::pair{"127.0.0.1:8080", "127.0.0.1"},
                                      {"localhost:8080", "127.0.0.1"},
                                      {"'[::1]:8080'", "::1"},
                                      {"127.1.2.3:8080", "127.1.2.3"}}) {
    const auto config = control(std::string("http: ") + text);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->control->address, address) << text;
    EXPECT_EQ(config->control->port, 8080);
  }
}

TEST(Control, ElsewhereNothingGoesInClearThatCouldChangeTheRun) {
  const SecretFile token("0123456789abcdef", 0600);
  for (const char* address :
       {"0.0.0.0:8080", "192.168.1.7:8080", "'[::]:8080'", "'[::ffff:127.0.0.1]:8080'"}) {
    const std::string http = std::string("http: ") + address;
    for (const std::string& more :
         {std::string(), ", token_file: " + token.path(), std::string(", writing: true"),
          ", writing: socket, token_file: " + token.path(),
          ", writing: false, token_file: " + token.path()}) {
      EXPECT_THAT(refused(http + more),
                  AllOf(StartsWith("rig.yaml:5: control.http: found "), HasSubstr("127.0.0.1"),
                        HasSubstr("ssh -L 8080:127.0.0.1:8080"), HasSubstr("reverse proxy"),
                        HasSubstr("writing: socket")))
          << more;
    }
    for (const char* more : {", writing: socket", ", writing: false"}) {
      const auto config = control(http + more);
      ASSERT_TRUE(config) << config.error().message;
      EXPECT_FALSE(config->control->http_writing);
    }
  }
}

TEST(Control, WritingMayBeTheSocketsAlone) {
  const auto config = control("http: 127.0.0.1:8080, writing: socket");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_TRUE(config->control->writing);
  EXPECT_FALSE(config->control->http_writing);
  EXPECT_THAT(refused("socket: none, http: 127.0.0.1:8080, writing: socket"),
              HasSubstr("control.writing: found socket, and there is none"));
}

TEST(Control, RefusesWhatIsNoAddress) {
  for (const char* text :
       {"8080", "127.0.0.1", "'127.0.0.1:'", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:80x",
        "here:80", "'::1:80'", "'[]:80'", "':80'", "127.0.0.256:80"}) {
    EXPECT_THAT(refused(std::string("http: ") + text),
                AllOf(StartsWith("rig.yaml:5: control.http: found "),
                      HasSubstr("such as \"127.0.0.1:8080\"")))
        << text;
  }
}

TEST(Control, RefusesWhatIsNoMode) {
  for (const char* text : {"rw", "0999", "01777", "0060", "0", "-0660"}) {
    EXPECT_THAT(refused(std::string("mode: ") + text),
                AllOf(StartsWith("rig.yaml:5: control.mode: found "), HasSubstr("octal")))
        << text;
  }
}

TEST(Control, RefusesATokenThatIsNoSecret) {
  const auto with = [](const std::string& path) {
    return refused("http: 127.0.0.1:1, token_file: " + path);
  };
  EXPECT_THAT(with("/no/such/file"), HasSubstr("control.token_file: /no/such/file: No such file"));
  EXPECT_THAT(with("/tmp"), HasSubstr("not a file"));
  for (const mode_t mode : {0644U, 0604U, 0602U}) {
    const SecretFile open("0123456789abcdef", mode);
    EXPECT_THAT(with(open.path()), AllOf(HasSubstr("others may read"), HasSubstr("chmod o=")));
  }
  if (::geteuid() == 0) {  // only root can give a file away
    const SecretFile given("0123456789abcdef", 0600);
    ASSERT_EQ(::chown(given.path().c_str(), 12345, 12345), 0);
    EXPECT_THAT(with(given.path()), AllOf(HasSubstr("belongs to user 12345, who knows the token"),
                                          HasSubstr("chown 0 ")));
  }
  const SecretFile shorter(" 0123456789abcde \n", 0600);
  EXPECT_THAT(with(shorter.path()),
              AllOf(HasSubstr("a token of 15 characters, expected 16..512"), HasSubstr("openssl")));
  const SecretFile longer(std::string(513, 'a'), 0600);
  EXPECT_THAT(with(longer.path()), HasSubstr("a token of 513 characters"));
  const SecretFile endless(std::string(100'000, 'a'), 0600);
  EXPECT_THAT(with(endless.path()), HasSubstr("expected 16..512"));
  for (const char* text : {"0123456789 abcdef", "0123456789abcdef==", "0123456789abcde\xc3\xa9"}) {
    const SecretFile odd(text, 0600);
    EXPECT_THAT(with(odd.path()), HasSubstr("expected letters, digits and")) << text;
  }
  const SecretFile good("0123456789abcdef", 0600);
  EXPECT_THAT(refused("token_file: " + good.path()), HasSubstr("a token without http"));
}

TEST(Control, RefusesWhatNobodyCouldReach) {
  EXPECT_THAT(refused("socket: none"), HasSubstr("control.socket: found none, and no http"));
  const auto config = control("socket: none, http: 127.0.0.1:0");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->control->socket, "");
}

TEST(Control, RefusesLimitsThatMakeNoSense) {
  for (const char* text : {"message: 1000", "message: 1e9", "depth: 3", "depth: 65", "clients: 0",
                           "clients: 1001", "rate: 0", "rate: 1.5", "messages: 2000"}) {
    EXPECT_THAT(refused("limits: {" + std::string(text) + "}"),
                StartsWith("rig.yaml:5: control.limits."))
        << text;
  }
  EXPECT_THAT(refused("sokcet: auto"), HasSubstr("did you mean \"socket\"?"));
  EXPECT_THAT(refused("writing: perhaps"), HasSubstr("\"true\", \"false\", \"socket\""));
}

// ---- dashboards ----

class DashboardFolder : public ::testing::Test {
 protected:
  DashboardFolder() {
    std::string pattern = ::testing::TempDir() + "hild-brought-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~DashboardFolder() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// As a configuration in this folder reads it.
  [[nodiscard]] Result<Config> read(const std::string& dashboards) const {
    put("rig.yaml", fakes::head + "control: {dashboards: {" + dashboards + "}}\n");
    return load((folder_ / "rig.yaml").string(), {});
  }
  [[nodiscard]] std::string refused(const std::string& dashboards) const {
    return fakes::error_of(read(dashboards));
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  const std::string none_ = "{\"version\": 1, \"tiles\": []}\n";
  std::filesystem::path folder_;
};

TEST_F(DashboardFolder, IsReadInItsOrder) {
  put("one.json", none_);
  put("two.json", "{\"version\": 1,\n \"tiles\": [{\"kind\": \"text\"}]}\n");
  const auto config = read("Trainee 2: two.json, Instructor: one.json");
  ASSERT_TRUE(config) << config.error().message;
  const auto& all = config->control->dashboards;
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "Trainee 2");
  EXPECT_THAT(all[0].text, HasSubstr("text"));
  EXPECT_EQ(all[1].name, "Instructor");
  EXPECT_EQ(all[1].text, none_);
}

TEST_F(DashboardFolder, TellsWhereAFileIsBroken) {
  put("bad.json", "{\"version\": 1,\n \"tiles\": [\n  {\"kind\" \"text\"}\n]}\n");
  EXPECT_THAT(refused("Bench: bad.json"),
              AllOf(StartsWith(path("rig.yaml") + ":5: control.dashboards.Bench"),
                    HasSubstr(path("bad.json") + ":3: "), HasSubstr("expected JSON")));
  put("cut.json", "{\"version\": 1,\n \"tiles\": [\n");
  EXPECT_THAT(refused("Bench: cut.json"), HasSubstr(path("cut.json") + ":3: "));
  put("more.json", none_ + "more\n");
  EXPECT_THAT(refused("Bench: more.json"),
              HasSubstr(path("more.json") + ":2: more follows after the end of it"));
  put("deep.json", R"({"version": 1, "tiles": [[[[[[[[]]]]]]]]})");
  EXPECT_THAT(refused("Bench: deep.json"), HasSubstr(path("deep.json") + ":1: "));
}

TEST_F(DashboardFolder, TellsWhatIsNoDashboard) {
  EXPECT_THAT(refused("Bench: none.json"),
              AllOf(HasSubstr(path("none.json") + ": No such file"), HasSubstr("expected a dash")));
  EXPECT_THAT(refused("Bench: ."), HasSubstr("not a file"));
  put("new.json", R"({"version": 2, "tiles": []})");
  EXPECT_THAT(refused("Bench: new.json"),
              HasSubstr(path("new.json") + ": version: found 2, expected 1"));
  put("old.json", R"({"tiles": []})");
  EXPECT_THAT(refused("Bench: old.json"), HasSubstr("version: found none, expected 1"));
  put("list.json", "[]");
  EXPECT_THAT(refused("Bench: list.json"), HasSubstr("expected an object {version, tiles}"));
  put("other.json", R"({"version": 1, "tiles": [], "more": 1})");
  EXPECT_THAT(refused("Bench: other.json"), HasSubstr("found \"more\""));
  put("tiles.json", R"({"version": 1, "tiles": 3})");
  EXPECT_THAT(refused("Bench: tiles.json"), HasSubstr("expected a list of 100 tiles at most"));
}

TEST_F(DashboardFolder, IsBounded) {
  const std::string begin = none_.substr(0, none_.size() - 1);
  put("full.json", begin + std::string(32'768 - begin.size(), ' '));
  EXPECT_EQ(refused("Bench: full.json"), "loaded");
  put("over.json", begin + std::string(32'769 - begin.size(), ' '));
  EXPECT_THAT(refused("Bench: over.json"), HasSubstr("more than 32768 bytes"));
  put("one.json", none_);
  std::string many;
  for (int n = 0; n < 100; ++n) many += "d" + std::to_string(n) + ": one.json, ";
  EXPECT_EQ(refused(many), "loaded");
  EXPECT_THAT(refused(many + "last: one.json"),
              AllOf(HasSubstr(":5: control.dashboards"),
                    HasSubstr("found 101 dashboards, expected 100 at most")));
}

TEST_F(DashboardFolder, HasNamesThatCanBeFiles) {
  put("one.json", none_);
  for (const char* const name : {"../a", "a/b", ".hidden", "\" a\"", "\"a \"", "ä",
                                 "0123456789012345678901234567890123456789012345678901234567890"}) {
    EXPECT_THAT(refused(std::string(name) + ": one.json"), HasSubstr("expected 1 to 60 letters"))
        << name;
  }
}

// ---- sequences ----

TEST_F(DashboardFolder, HasSequencesBesideIt) {
  put("rig.yaml", fakes::head + "control: {sequences: {load step: a.yaml, b: sub/b.yaml}}\n");
  const auto config = load(path("rig.yaml"), {});
  ASSERT_TRUE(config) << config.error().message;
  const auto& all = config->control->sequences;
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "load step");
  EXPECT_EQ(all[0].file, path("a.yaml"));
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].file, path("sub/b.yaml"));
}

TEST_F(DashboardFolder, SaysWhatIsWrongWithSequences) {
  const auto refused_control = [&](const std::string& control) {
    put("rig.yaml", fakes::head + "control: {" + control + "}\n");
    return fakes::error_of(load(path("rig.yaml"), {}));
  };
  EXPECT_THAT(refused_control("socket: none, http: '127.0.0.1:0', sequences: {a: a.yaml}"),
              AllOf(HasSubstr(":5: control.sequences"), HasSubstr("`socket: none`")));
  EXPECT_THAT(refused_control("sequences: {a/b: a.yaml}"), HasSubstr("expected 1 to 60 letters"));
  EXPECT_THAT(refused_control("sequences: {a: [a.yaml]}"), HasSubstr(":5: control.sequences.a"));
  std::string many;
  for (int n = 0; n < 100; ++n) many += "s" + std::to_string(n) + ": s.yaml, ";
  EXPECT_EQ(refused_control("sequences: {" + many + "}"), "loaded");
  EXPECT_THAT(refused_control("sequences: {" + many + "last: s.yaml}"),
              HasSubstr("found 101 sequences, expected 100 at most"));
}

}  // namespace
}  // namespace hild::config
