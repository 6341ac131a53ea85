// SPDX-License-Identifier: Apache-2.0
#include "foreign/plugin/load.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "hild/model/multirate.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"

namespace hild {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

fs::path object(const std::string& name) { return fs::path(HILD_PLUGINS) / (name + ".so"); }

std::string refusal(const fs::path& file) {
  const auto loaded = plugin::load(file);
  return loaded ? "loaded" : loaded.error().message;
}

/// A file of the test's own, gone with it. Each has a name of its own: what was loaded stays
/// mapped.
class Copy {
 public:
  explicit Copy(const fs::path& of) {
    static int count = 0;
    const auto name = "hild-plugin-" + std::to_string(::getpid()) + '-' + std::to_string(++count);
    path_ = fs::temp_directory_path() / (name + ".so");
    fs::copy_file(of, path_, fs::copy_options::overwrite_existing);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() { fs::remove(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }
  void overwrite(std::streamoff at, const std::string& bytes) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file << bytes;
  }

 private:
  fs::path path_;
};

std::vector<double> after_steps(model::Stepper& plant) {
  const std::array u{0.25};
  SimTime t{};
  for (int n = 0; n < 50; ++n, t += 10_ms) plant.step(t, 10_ms, u);
  return {plant.states().begin(), plant.states().end()};
}

// The file of a built-in model, built as a plug-in: the same to the bit, under methods it is
// compiled together with and under others.
TEST(Plugin, StepsAsTheBuiltInModelDoes) {
  const auto loaded = plugin::load(object("van_der_pol"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto* builtin = model::find_model("van-der-pol");
  ASSERT_NE(*loaded, builtin);
  EXPECT_EQ((*loaded)->description.name, "van-der-pol");
  for (const numerics::Method* m : {&numerics::rtam2, &numerics::rk4, &numerics::ab3,
                                    &numerics::rtrk3, &numerics::backward_euler}) {
    const auto one = (*loaded)->make(*m);
    const auto other = builtin->make(*m);
    EXPECT_EQ(one->compiled_together(), other->compiled_together()) << m->name;
    EXPECT_EQ(one->method().name, m->name);
    EXPECT_EQ(after_steps(*one), after_steps(*other)) << m->name;
  }
}

TEST(Plugin, IsLoadedOnce) {
  EXPECT_EQ(*plugin::load(object("van_der_pol")), *plugin::load(object("van_der_pol")));
}

TEST(Plugin, MissingFile) {
  EXPECT_THAT(refusal("/nowhere/pump.so"),
              AllOf(HasSubstr("/nowhere/pump.so"), HasSubstr("No such file")));
  EXPECT_THAT(refusal(fs::temp_directory_path()), HasSubstr("is not a file"));
}

TEST(Plugin, NotASharedObject) {
  const Copy copy(object("nothing"));
  copy.overwrite(0, "PK\3\4");
  EXPECT_THAT(refusal(copy.path()), HasSubstr("is not a shared object (ELF)"));
  copy.overwrite(0,
                 "\x7f"
                 "ELF");
  EXPECT_THAT(refusal(copy.path()), HasSubstr("hild_model_plugin"));
  const Copy cut(object("nothing"));  // the first one was loaded, and may be mapped
  fs::resize_file(cut.path(), 40);
  EXPECT_THAT(refusal(cut.path()), HasSubstr("is cut: 40 bytes"));
  fs::resize_file(cut.path(), 0);
  EXPECT_THAT(refusal(cut.path()), HasSubstr("is not a shared object (ELF)"));
}

TEST(Plugin, OfAnotherMachine) {
  const Copy copy(object("nothing"));
  copy.overwrite(18, std::string("\xf3\0", 2));  // e_machine: 243 is RISC-V
  EXPECT_THAT(refusal(copy.path()), HasSubstr("is for machine 243 of ELF, expected "));
}

TEST(Plugin, WrittenByOthers) {
  const Copy copy(object("van_der_pol"));
  fs::permissions(copy.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_THAT(refusal(copy.path()),
              AllOf(HasSubstr("may be written by anybody"), HasSubstr("chmod o-w")));
  fs::permissions(copy.path(), fs::perms::others_write, fs::perm_options::remove);
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  ASSERT_EQ(::chown(copy.path().c_str(), 65534, 65534), 0);
  EXPECT_THAT(refusal(copy.path()), HasSubstr("belongs to user 65534"));
}

TEST(Plugin, SymbolsAreNamed) {
  EXPECT_THAT(refusal(object("unresolved")), HasSubstr("undefined symbol: nobody_has_this"));
  EXPECT_THAT(refusal(object("nothing")), HasSubstr("has no symbol hild_model_plugin"));
}

TEST(Plugin, Versions) {
  EXPECT_THAT(refusal(object("other_version")), HasSubstr("interface 99, expected 10"));
  EXPECT_THAT(refusal(object("other_headers")), HasSubstr("built with other headers"));
}

TEST(Plugin, HoldsOneModel) {
  EXPECT_THAT(refusal(object("two_models")), HasSubstr("holds 2 models, expected one"));
}

TEST(Plugin, DescriptionIsSound) {
  EXPECT_THAT(refusal(object("doubled_names")),
              HasSubstr("model doubled: state `x` is there twice"));

  using model::Description;
  const auto said = [](const Description& d) {
    const auto good = plugin::check_description(d);
    return good ? std::string("sound") : good.error().message;
  };
  const std::array no_unit{model::Output{"y", "furlongs per fortnit"}};
  const std::array beyond{model::Parameter{"p", "1", 3, 4, 5}};
  const std::array nowhere{model::State{"x", "V", model::unlimited}};
  EXPECT_EQ(said({.name = "m", .summary = ""}), "sound");
  EXPECT_THAT(said({.name = "m", .summary = "", .outputs = no_unit}), HasSubstr("output `y`: "));
  EXPECT_THAT(said({.name = "m", .summary = "", .parameters = beyond}),
              HasSubstr("parameter `p` is 3, beyond its limits 4 ... 5"));
  EXPECT_THAT(said({.name = "m", .summary = "", .states = nowhere}),
              HasSubstr("state `x` starts at inf"));

  const std::array y{model::Output{"y"}};
  const std::array u{model::Input{"u"}};
  const auto with = [&](const model::Feedthrough& one) {
    return said({.name = "m",
                 .summary = "",
                 .inputs = u,
                 .outputs = y,
                 .feedthrough = std::span<const model::Feedthrough>(&one, 1)});
  };
  EXPECT_EQ(with({"y", "u"}), "sound");
  EXPECT_THAT(with({"u", "u"}), HasSubstr("feedthrough: `u` is none of its outputs"));
  EXPECT_THAT(with({"y", "y"}), HasSubstr("feedthrough: `y` is none of its inputs"));
}

}  // namespace
}  // namespace hild
