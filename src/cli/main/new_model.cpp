// SPDX-License-Identifier: Apache-2.0
/// `hild new-model`: a project with a model of one's own.
#include "cli/main/new_model.hpp"

#include <algorithm>
#include <boost/algorithm/string/erase.hpp>
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

std::string struct_name(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool up = i == 0 || name[i - 1] == '-';
    if (name[i] != '-') out += up ? static_cast<char>(std::toupper(name[i])) : name[i];
  }
  return out;
}

// The names and contents of the files: those of new_model/, whose first lines are not the
// project's.
std::vector<std::pair<std::string, std::string>> new_model_files(const std::string& name) {
  const std::string file = boost::replace_all_copy(name, "-", "_");
  const auto filled = [&](std::string text) {
    boost::replace_all(text, "@name@", name);
    boost::replace_all(text, "@file@", file);
    boost::replace_all(text, "@Struct@", struct_name(name));
    boost::replace_all(text, "@packages@", packages_of_a_model);
    boost::replace_all(text, "@page@", doc_page("models"));
    return text;
  };
  std::vector<std::pair<std::string, std::string>> files;
  for (const Asset& asset : assets()) {
    std::string path = boost::erase_last_copy(std::string(asset.path.substr(1)), ".in");
    boost::replace_first(path, "model", file);
    files.emplace_back(path, filled(std::string(asset.body.substr(asset.body.find('\n') + 1))));
  }
  return files;
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
