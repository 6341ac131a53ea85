// SPDX-License-Identifier: Apache-2.0
/// `hild new-model` and `hild new-driver`: a project with something of one's own.
#include "cli/main/new_project.hpp"

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
#include "hild/io/device.hpp"
#include "hild/model/registry.hpp"

namespace hild::commands {
namespace {

namespace fs = std::filesystem;

struct NewProjectArguments {
  std::string name;
  std::string folder;
};

/// What tells one kind of project from the other.
struct ProjectKind {
  const char* command;
  const char* summary;
  std::string_view what;     ///< and the folder of its files
  std::string_view example;  ///< of a name
  std::string_view page;     ///< of the documentation
  bool (*built_in)(const std::string& name);
};

constexpr ProjectKind new_model{
    "new-model", "write a project that builds and tests a model of your own",
    "model",     "heat-pump",
    "models",    [](const std::string& name) { return model::find_model(name) != nullptr; }};
constexpr ProjectKind new_driver{
    "new-driver", "write a project that builds and tests a driver of your own",
    "driver",     "motor-drive",
    "drivers",    [](const std::string& name) { return io::find_driver(name) != nullptr; }};

/// The Debian packages that such a project needs to be built, besides hild itself.
constexpr std::string_view packages_of_a_project =
    "g++ cmake make libfmt-dev libexpected-dev libgtest-dev";

std::string struct_name(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool up = i == 0 || name[i - 1] == '-';
    if (name[i] != '-') out += up ? static_cast<char>(std::toupper(name[i])) : name[i];
  }
  return out;
}

// The names and contents of its files, whose first lines are not the project's.
std::vector<std::pair<std::string, std::string>> project_files(const ProjectKind& kind,
                                                               const std::string& name) {
  const std::string file = boost::replace_all_copy(name, "-", "_");
  const auto filled = [&](std::string text) {
    boost::replace_all(text, "@name@", name);
    boost::replace_all(text, "@file@", file);
    boost::replace_all(text, "@word@", file);
    boost::replace_all(text, "@Struct@", struct_name(name));
    boost::replace_all(text, "@packages@", packages_of_a_project);
    boost::replace_all(text, "@page@", doc_page(kind.page));
    return text;
  };
  const std::string folder = fmt::format("/{}/", kind.what);
  std::vector<std::pair<std::string, std::string>> files;
  for (const Asset& asset : assets()) {
    if (!asset.path.starts_with(folder)) continue;
    std::string path = boost::erase_last_copy(std::string(asset.path.substr(folder.size())), ".in");
    boost::replace_first(path, std::string(kind.what), file);
    files.emplace_back(path, filled(std::string(asset.body.substr(asset.body.find('\n') + 1))));
  }
  return files;
}

void check_name(const ProjectKind& kind, const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool good = !name.empty() && name.size() <= 40 && name[0] >= 'a' && name[0] <= 'z' &&
                    fits(name.back()) && name.find("--") == name.npos &&
                    std::ranges::all_of(name, [&](char c) { return fits(c) || c == '-'; });
  if (!good) {
    throw Error{fmt::format("{} {}: expected a name of a-z, 0-9 and single -, such as {}",
                            kind.command, name, kind.example)};
  }
  // Names that the project's own code has, or that CMake keeps for itself.
  for (const std::string_view taken :
       {"d", "methods", "test", "model", "driver", "hild", "all", "install", "clean", "help",
        "package", "edit-cache", "rebuild-cache"}) {
    if (name == taken) {
      throw Error{fmt::format("{} {}: this name is taken; choose another", kind.command, name)};
    }
  }
  if (kind.built_in(name)) {
    throw Error{fmt::format("{} {}: a built-in {} has this name; choose another", kind.command,
                            name, kind.what)};
  }
}

void write_project(const ProjectKind& kind, const std::string& name, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    throw Error{folder.string() + ": exists and is not empty; choose another folder by --folder"};
  }
  fs::create_directories(folder, error);
  if (error) {
    throw Error{fmt::format("{}: cannot be made: {}", folder.string(), error.message())};
  }
  for (const auto& [name_of_file, text] : project_files(kind, name)) {
    const fs::path file = folder / name_of_file;
    std::ofstream out(file);
    out << text;
    out.close();
    if (out) continue;
    throw Error{fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno))};
  }
}

template <const ProjectKind& kind>
void new_project(const NewProjectArguments& a) {
  check_name(kind, a.name);
  const fs::path folder = a.folder.empty() ? a.name : a.folder;
  write_project(kind, a.name, folder);
  cli::print(
      "{0}: a project with the {1} {2}. It is built with what these packages bring:\n"
      "  apt install {3}\n"
      "Next:\n"
      "  cd {0} && cmake -B build && cmake --build build && ctest --test-dir build\n",
      folder.string(), kind.what, a.name, packages_of_a_project);
}

template <const ProjectKind& kind>
void add_new_project(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(app, exit_code, kind.command, kind.summary, new_project<kind>);
  command
      .add_option("NAME", a.name, fmt::format("the {}'s name, such as {}", kind.what, kind.example))
      ->required();
  add_option(command, "--folder", a.folder, "DIR", "where to write it; default: a new folder NAME");
}

}  // namespace

void add_new_model(CLI::App& app, ExitCode& exit_code) {
  add_new_project<new_model>(app, exit_code);
}
void add_new_driver(CLI::App& app, ExitCode& exit_code) {
  add_new_project<new_driver>(app, exit_code);
}

}  // namespace hild::commands
