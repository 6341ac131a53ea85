// SPDX-License-Identifier: Apache-2.0
/// `hild new-model`: a project with a model of one's own.
#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/main/commands.hpp"
#include "cli/terminal/print.hpp"
#include "core/doc_page.hpp"
#include "hild/model/registry.hpp"

namespace hild::commands {
namespace {

namespace fs = std::filesystem;

struct NewModelArguments {
  std::string name;
  std::string folder;
};

/// The Debian packages that such a project needs to be built, besides hild itself.
constexpr std::string_view packages_of_a_model =
    "g++ cmake make libfmt-dev libexpected-dev libgtest-dev";

// The files of the project: a first-order lag, as a starting point for other models. @name@ is the
// model's name, @file@ the same for files, @Struct@ the same for C++; @packages@ what it is built
// with, @page@ where the documentation tells of models.
constexpr auto cmake_lists = R"(# Needs: @packages@
cmake_minimum_required(VERSION 3.25)
project(@file@ LANGUAGES CXX)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Installed elsewhere than in /usr or /usr/local: cmake -DCMAKE_PREFIX_PATH=...
find_package(hild REQUIRED)
find_package(GTest REQUIRED)

hild_add_model(@file@ @file@.cpp)

enable_testing()
add_executable(@file@_test @file@.cpp @file@_test.cpp)
target_link_libraries(@file@_test PRIVATE hild::model GTest::gtest_main)
add_test(NAME model COMMAND @file@_test)
add_test(NAME run COMMAND hild::hild run ${CMAKE_SOURCE_DIR}/@file@.yaml --offline --duration 1
  --set model.plugin=$<TARGET_FILE:@file@>)
)";

constexpr auto source = R"(/// A first-order lag:  tau x' = u - x
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace {

namespace model = hild::model;

struct @Struct@ {
  static constexpr std::string_view name = "@name@", summary = "first-order lag";

  // Name, unit, and start; of parameters the default and the limits.
  static constexpr std::array states{model::State{"x", "V", 0.0}};
  static constexpr std::array inputs{model::Input{"u", "V", 0.0}};
  static constexpr std::array outputs{model::Output{"y", "V"}};
  static constexpr std::array parameters{model::Parameter{"tau", "s", 0.1, 1e-6}};

  // Compiled together with these methods; it runs under all others too.
  using Methods = model::CompiledWith<hild::numerics::rtam2, hild::numerics::rk4>;
  using D = model::Data<@Struct@>;

  // Both are called many times a frame: nothing here may allocate, print, lock or throw.
  static void derivatives(double /*t*/, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = (u[0] - x[0]) / p[0];
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

HILD_MODEL(@Struct@);

}  // namespace
)";

constexpr auto test = R"(/// Against the solution one can write down:  x(t) = u (1 - exp(-t / tau))
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"

using hild::operator""_ms;

TEST(@Struct@, FollowsItsStepResponse) {
  const auto* model = hild::model::find_model("@name@");
  ASSERT_NE(model, nullptr);
  const auto plant = model->make(hild::numerics::rk4);
  EXPECT_TRUE(plant->compiled_together());

  const std::array input{2.0};
  plant->advance({}, 1_ms, 100, input);  // 100 steps of 1 ms: one time constant

  std::array<double, 1> output{};
  plant->outputs(0.1, input, output);
  EXPECT_NEAR(output[0], 2.0 * (1 - std::exp(-1.0)), 1e-9);
}
)";

constexpr auto configuration =
    R"(# hild check @file@.yaml, hild run @file@.yaml; then http://127.0.0.1:8080/ in a browser
frame:      {period: 1 ms}
model:      {plugin: build/@file@.so, parameters: {tau: 100 ms}}
integrator: {method: rtam-2, sampling: stage}
# A simulated converter: another driver, and it is a real one.
devices:    {daq: {driver: sim}}
inputs:
  u: {device: daq, channel: 0, scale: 1 V/V, source: {step: {before: 0 V, after: 2 V, at: 100 ms}}}
outputs:
  y: {device: daq, channel: 0, scale: 1 V/V, safe: 0 V}
# hildctl finds the socket; the live page is at this address.
control:    {socket: auto, http: 127.0.0.1:8080}
)";

constexpr auto readme = R"(# @name@

A plant model for hild, as a plug-in. Besides hild it is built with

    apt install @packages@

and then

    cmake -B build && cmake --build build && ctest --test-dir build
    hild check @file@.yaml      what a frame does and costs; whether the model keeps real time
    hild run @file@.yaml        until Ctrl-C; the live page is http://127.0.0.1:8080/

The model is `@file@.cpp`: states, inputs, outputs and parameters with their units, then derivatives
and outputs. `@file@_test.cpp` holds it against a solution one can write down. Events, Jacobians and
the rest: `@page@`. Where hild is installed in a place of its own, add `-DCMAKE_PREFIX_PATH=THERE`
to the first command.
)";

std::string struct_name(const std::string& name) {
  std::string out;
  bool up = true;
  for (const char c : name) {
    if (c != '-') out += up ? static_cast<char>(std::toupper(c)) : c;
    up = c == '-';
  }
  return out;
}

// The names and contents of the files, for a model called `name` (as in a configuration).
std::vector<std::pair<std::string, std::string>> new_model_files(const std::string& name) {
  const std::string file = boost::algorithm::replace_all_copy(name, "-", "_");
  const auto filled = [&](std::string text) {
    boost::algorithm::replace_all(text, "@name@", name);
    boost::algorithm::replace_all(text, "@file@", file);
    boost::algorithm::replace_all(text, "@Struct@", struct_name(name));
    boost::algorithm::replace_all(text, "@packages@", packages_of_a_model);
    boost::algorithm::replace_all(text, "@page@", doc_page("models"));
    return text;
  };
  return {{"CMakeLists.txt", filled(cmake_lists)},
          {file + ".cpp", filled(source)},
          {file + "_test.cpp", filled(test)},
          {file + ".yaml", filled(configuration)},
          {"README.md", filled(readme)}};
}

void check_name(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool good = !name.empty() && name.size() <= 40 && name[0] >= 'a' && name[0] <= 'z' &&
                    fits(name.back()) && name.find("--") == name.npos &&
                    std::ranges::all_of(name, [&](char c) { return fits(c) || c == '-'; });
  if (!good) {
    throw Error{fmt::format(
        "new-model {}: expected a name of a-z, 0-9 and single -, such as heat-pump", name)};
  }
  // Names that the project's own code has, or that CMake keeps for itself.
  for (const std::string_view taken : {"d", "methods", "test", "model", "hild", "all", "install",
                                       "clean", "help", "package", "edit-cache", "rebuild-cache"}) {
    if (name == taken) {
      throw Error{fmt::format("new-model {}: this name is taken; choose another", name)};
    }
  }
  if (model::find_model(name) != nullptr) {
    throw Error{fmt::format("new-model {}: a built-in model has this name; choose another", name)};
  }
}

void write_project(const std::string& name, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    throw Error{folder.string() + ": exists and is not empty; choose another folder by --folder"};
  }
  fs::create_directories(folder, error);
  if (error) {
    throw Error{fmt::format("{}: cannot be made: {}", folder.string(), error.message())};
  }
  for (const auto& [name_of_file, text] : new_model_files(name)) {
    const fs::path file = folder / name_of_file;
    std::ofstream out(file);
    out << text;
    out.close();
    if (out) continue;
    throw Error{fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno))};
  }
}

void new_model(const NewModelArguments& a) {
  check_name(a.name);
  const fs::path folder = a.folder.empty() ? a.name : a.folder;
  write_project(a.name, folder);
  cli::print(
      "{0}: a project with the model {1}. It is built with what these packages bring:\n"
      "  apt install {2}\n"
      "Next:\n"
      "  cd {0} && cmake -B build && cmake --build build && ctest --test-dir build\n",
      folder.string(), a.name, packages_of_a_model);
}

}  // namespace

void add_new_model(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] =
      add_command(app, exit_code, "new-model",
                  "write a project that builds and tests a model of your own", new_model);
  command.add_option("NAME", a.name, "the model's name, such as heat-pump")->required();
  add_option(command, "--folder", a.folder, "DIR", "where to write it; default: a new folder NAME");
}

}  // namespace hild::commands
