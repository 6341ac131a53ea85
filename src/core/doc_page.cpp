// SPDX-License-Identifier: Apache-2.0
#include "core/doc_page.hpp"

#include <fmt/format.h>

#include <system_error>

namespace hild {

std::string doc_page(std::string_view name, const std::filesystem::path& program) {
  const std::string file = fmt::format("{}.md", name);
  for (const char* folder : {"../share/doc/hild", "../docs"}) {
    std::filesystem::path page = (program.parent_path() / folder / file).lexically_normal();
    std::error_code error;
    // Of a program without a path nothing lies beside it: that would be where somebody happens to
    // be.
    if (!program.empty() && std::filesystem::is_regular_file(page, error)) return page.native();
  }
  return fmt::format("docs/{} of hild's sources", file);
}

std::string doc_page(std::string_view name) {
  std::error_code error;
  return doc_page(name, std::filesystem::read_symlink("/proc/self/exe", error));
}

}  // namespace hild
