// SPDX-License-Identifier: Apache-2.0
#include "control/server/dashboards.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <fstream>

#include "control/server/params.hpp"
#include "control/server/refused.hpp"

namespace hild::testing {
namespace {

namespace fs = std::filesystem;
using server::Dashboards;
using ::testing::AllOf;
using ::testing::HasSubstr;

class DashboardFiles : public ::testing::Test {
 protected:
  DashboardFiles() {
    std::string pattern = (fs::temp_directory_path() / "hild-dashboards-XXXXXX").string();
    top = ::mkdtemp(pattern.data());
  }
  ~DashboardFiles() override { fs::remove_all(top); }

  json::value read(std::string_view name) {
    const json::object params{{"name", name}};
    server::Params p(params);
    return dashboards().read(p);
  }
  json::value arrange(const json::object& params) {
    server::Params p(params);
    return dashboards().write(p);
  }
  void discard(std::string_view name) {
    const json::object params{{"name", name}};
    server::Params p(params);
    static_cast<void>(dashboards().remove(p));
  }
  Dashboards dashboards() const { return Dashboards(top / "state" / "dashboards", configured); }
  fs::path file(std::string_view name) const { return top / "state" / "dashboards" / name; }
  void put(std::string_view name, std::string_view text) const {
    fs::create_directories(file(name).parent_path());
    std::ofstream(file(name)) << text;
  }
  std::string text_of(std::string_view name) const {
    std::ifstream in(file(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static json::object layout(std::string_view words = "hello") {
    return {{"version", 1},
            {"tiles", json::array{json::object{{"kind", "text"}, {"text", words}}}}};
  }

  fs::path top;
  Dashboards::Configured configured;
};

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const server::Refused& refused) {
    return refused.error.message;
  }
  return "not refused";
}

TEST_F(DashboardFiles, AreKeptAndReadBack) {
  const json::value stored = arrange({{"name", "Bench 1"}, {"layout", layout()}});
  const json::value got = read("Bench 1");
  EXPECT_EQ(got.at("layout"), layout());
  EXPECT_EQ(got.at("from"), "kept");
  EXPECT_EQ(got.at("revision"), stored.at("revision"));
  EXPECT_EQ(dashboards().list().at("dashboards"),
            json::parse(R"([{"name": "Bench 1", "bytes": 63, "from": "kept"}])"));
  EXPECT_EQ(fs::file_size(file("Bench 1.json")), 63U);
  discard("Bench 1");
  EXPECT_EQ(dashboards().list().at("dashboards").as_array().size(), 0U);
  EXPECT_THAT(refusal([&] { discard("Bench 1"); }), HasSubstr("there is no dashboard"));
  EXPECT_THAT(refusal([&] { read("Bench 1"); }), HasSubstr("there is no dashboard"));
}

TEST_F(DashboardFiles, AreReplacedOnlyByWhoHasSeenThem) {
  const json::value first = arrange({{"name", "a"}, {"layout", layout("first")}});
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "a"}, {"layout", layout("other")}});
              }),
              HasSubstr("is there, and `over` does not say"));
  arrange({{"name", "a"}, {"layout", layout("second")}, {"over", first.at("revision")}});
  EXPECT_THAT(
      refusal([&] {
        arrange({{"name", "a"}, {"layout", layout("third")}, {"over", first.at("revision")}});
      }),
      HasSubstr("stored by somebody else meanwhile"));
  EXPECT_EQ(read("a").at("layout"), layout("second"));
}

TEST_F(DashboardFiles, HaveNamesThatAreFilesOfTheFolderAlone) {
  for (const char* const name : {"", "../a", "a/b", ".hidden", " a", "a ", "a\nb", "ä", "a:b",
                                 "0123456789012345678901234567890123456789012345678901234567890"}) {
    EXPECT_THAT(refusal([&] {
                  arrange({{"name", name}, {"layout", layout()}});
                }),
                HasSubstr("expected 1 to 60 letters"))
        << name;
    EXPECT_THAT(refusal([&] { read(name); }), HasSubstr("expected 1 to 60 letters")) << name;
    EXPECT_THAT(refusal([&] { discard(name); }), HasSubstr("expected 1 to 60 letters")) << name;
  }
  EXPECT_FALSE(fs::exists(top / "state"));
}

TEST_F(DashboardFiles, ThatAreBrokenAreToldWithFileAndLine) {
  put("bad.json", "{\"version\": 1,\n \"tiles\": [\n  {\"kind\" \"text\"}\n]}\n");
  const std::string words = refusal([&] { read("bad"); });
  EXPECT_THAT(words, AllOf(HasSubstr(file("bad.json").string() + ":3: "),
                           HasSubstr("left as it is: mend it")));
}

TEST_F(DashboardFiles, ThatAreBrokenAreKeptBesideTheNew) {
  put("bad.json", "no JSON\n");
  const json::value stored = arrange({{"name", "bad"}, {"layout", layout()}});
  EXPECT_EQ(stored.at("kept"), json::string(file("bad.json.broken").string()));
  EXPECT_EQ(text_of("bad.json.broken"), "no JSON\n");
  EXPECT_EQ(read("bad").at("layout"), layout());
  put("bad.json", "again\n");
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "bad"}, {"layout", layout()}});
              }),
              HasSubstr("is there already: move it away first"));
  EXPECT_EQ(text_of("bad.json"), "again\n");
  EXPECT_EQ(text_of("bad.json.broken"), "no JSON\n");
}

TEST_F(DashboardFiles, OfAnotherVersionAreNotRead) {
  put("new.json", R"({"version": 2, "tiles": []})");
  EXPECT_THAT(refusal([&] { read("new"); }), HasSubstr("version: found 2, expected 1"));
  put("list.json", "[]");
  EXPECT_THAT(refusal([&] { read("list"); }), HasSubstr("expected an object {version, tiles}"));
}

TEST_F(DashboardFiles, AreBounded) {
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "big"}, {"layout", layout(std::string(33'000, 'x'))}});
              }),
              HasSubstr("expected 32768 at most"));
  json::object many = layout();
  many["tiles"] = json::array(101);
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "many"}, {"layout", many}});
              }),
              HasSubstr("a list of 100 tiles at most"));
  json::object other = layout();
  other["more"] = 1;
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "other"}, {"layout", other}});
              }),
              HasSubstr("found \"more\""));
  EXPECT_FALSE(fs::exists(top / "state"));
  put("long.json", std::string(33'000, ' '));
  EXPECT_THAT(refusal([&] { read("long"); }), HasSubstr("more than 32768 bytes"));
  for (int n = 1; n < 100; ++n) put("d" + std::to_string(n) + ".json", "{}");
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "one more"}, {"layout", layout()}});
              }),
              HasSubstr("100 dashboards already"));
}

TEST_F(DashboardFiles, ThatAreConfiguredComeFirstAndInTheirOrder) {
  arrange({{"name", "a"}, {"layout", layout()}});
  configured = {{"z", R"({"version": 1, "tiles": []})"}, {"b", R"({"version": 1, "tiles": []})"}};
  EXPECT_EQ(dashboards().list().at("dashboards"), json::parse(R"([
    {"name": "z", "bytes": 27, "from": "configuration"},
    {"name": "b", "bytes": 27, "from": "configuration"},
    {"name": "a", "bytes": 63, "from": "kept"}])"));
  const json::value got = read("z");
  EXPECT_EQ(got.at("from"), "configuration");
  EXPECT_EQ(got.at("layout"), json::parse(R"({"version": 1, "tiles": []})"));
}

TEST_F(DashboardFiles, AreNotPutInThePlaceOfThoseThatAreConfigured) {
  const json::value kept = arrange({{"name", "a"}, {"layout", layout("kept")}});
  configured = {{"a", R"({"version": 1, "tiles": []})"}};
  // What is kept under the name is hidden, and left as it is.
  EXPECT_EQ(dashboards().list().at("dashboards").as_array().size(), 1U);
  EXPECT_EQ(read("a").at("layout"), json::parse(R"({"version": 1, "tiles": []})"));
  const auto is_theirs =
      AllOf(HasSubstr("comes with the configuration"), HasSubstr("choose another name"));
  for (const json::value& over : {kept.at("revision"), read("a").at("revision")}) {
    EXPECT_THAT(refusal([&] {
                  arrange({{"name", "a"}, {"layout", layout("new")}, {"over", over}});
                }),
                is_theirs);
  }
  EXPECT_THAT(refusal([&] { discard("a"); }), is_theirs);
  configured.clear();
  EXPECT_EQ(read("a").at("layout"), layout("kept"));
}

TEST_F(DashboardFiles, AreNotKeptWithoutAFolder) {
  const Dashboards none{fs::path()};
  EXPECT_EQ(none.list().at("dashboards").as_array().size(), 0U);
  const json::object params{{"name", "a"}, {"layout", layout()}};
  server::Params p(params);
  EXPECT_THAT(refusal([&] { static_cast<void>(none.write(p)); }), HasSubstr("$STATE_DIRECTORY"));
}

TEST_F(DashboardFiles, SayWhyTheyCannotBeWritten) {
  std::ofstream(top / "state") << "a file where the folder should be";
  EXPECT_THAT(refusal([&] {
                arrange({{"name", "a"}, {"layout", layout()}});
              }),
              HasSubstr((top / "state" / "dashboards").string()));
}

TEST_F(DashboardFiles, AreInTheFolderOfTheDaemonsState) {
  const auto set = [](const char* name, const char* value) {
    if (value == nullptr) {
      ::unsetenv(name);
    } else {
      ::setenv(name, value, 1);
    }
  };
  const char* const home = ::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  set("STATE_DIRECTORY", "/var/lib/hild:/var/lib/more");
  set("XDG_STATE_HOME", "/somewhere");
  EXPECT_EQ(Dashboards::usual_folder(), "/var/lib/hild/dashboards");
  set("STATE_DIRECTORY", nullptr);
  EXPECT_EQ(Dashboards::usual_folder(), "/somewhere/hild/dashboards");
  set("XDG_STATE_HOME", "relative");  // which the specification says to ignore
  set("HOME", "/anywhere/me");
  EXPECT_EQ(Dashboards::usual_folder(), "/anywhere/me/.local/state/hild/dashboards");
  set("XDG_STATE_HOME", nullptr);
  set("HOME", nullptr);
  EXPECT_EQ(Dashboards::usual_folder(), "");
  set("HOME", before.empty() ? nullptr : before.c_str());
}

}  // namespace
}  // namespace hild::testing
