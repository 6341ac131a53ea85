// SPDX-License-Identifier: Apache-2.0
/// `hild new-model`: a project with a model of one's own.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/main/commands.hpp"
#include "cli/main/new_model_files.hpp"
#include "cli/terminal/print.hpp"
#include "hild/model/registry.hpp"

namespace hild::commands {
namespace {

namespace fs = std::filesystem;

Result<void> check_name(const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool good = !name.empty() && name.size() <= 40 && name[0] >= 'a' && name[0] <= 'z' &&
                    fits(name.back()) && name.find("--") == name.npos &&
                    std::ranges::all_of(name, [&](char c) { return fits(c) || c == '-'; });
  if (!good) {
    return fail("new-model {}: expected a name of a-z, 0-9 and single -, such as heat-pump", name);
  }
  // Names that the project's own code has, or that CMake keeps for itself.
  for (const std::string_view taken : {"d", "methods", "test", "model", "hild", "all", "install",
                                       "clean", "help", "package", "edit-cache", "rebuild-cache"}) {
    if (name == taken) return fail("new-model {}: this name is taken; choose another", name);
  }
  if (model::find_model(name) != nullptr) {
    return fail("new-model {}: a built-in model has this name; choose another", name);
  }
  return {};
}

Result<void> write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) return fail("{}: cannot be written: {}", file.string(), std::strerror(errno));
  return {};
}

Result<void> write_project(const std::string& name, const fs::path& folder) {
  if (auto good = check_name(name); !good) return good;
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    return fail("{}: exists and is not empty; choose another folder by --folder", folder.string());
  }
  fs::create_directories(folder, error);
  if (error) return fail("{}: cannot be made: {}", folder.string(), error.message());
  for (const auto& [file, text] : new_model_files(name)) {
    if (auto written = write(folder / file, text); !written) return written;
  }
  return {};
}

ExitCode new_model(const std::string& name, const std::string& wanted) {
  const fs::path folder = wanted.empty() ? name : wanted;
  if (auto written = write_project(name, folder); !written) return complain(written.error());
  cli::print(
      "{0}: a project with the model {1}. It is built with what these packages bring:\n"
      "  apt install {2}\n"
      "Next:\n"
      "  cd {0} && cmake -B build && cmake --build build && ctest --test-dir build\n",
      folder.string(), name, packages_of_a_model);
  return ExitCode::done;
}

}  // namespace

void add_new_model(CLI::App& app, ExitCode& exit_code) {
  auto* command =
      app.add_subcommand("new-model", "write a project that builds and tests a model of your own");
  const auto name = std::make_shared<std::string>();
  const auto folder = std::make_shared<std::string>();
  command->add_option("NAME", *name, "the model's name, such as heat-pump")->required();
  command->add_option("--folder", *folder, "where to write it; default: a new folder NAME")
      ->type_name("DIR");
  command->callback([=, &exit_code] { exit_code = new_model(*name, *folder); });
}

}  // namespace hild::commands
