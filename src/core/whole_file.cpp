// SPDX-License-Identifier: Apache-2.0
#include "hild/core/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "hild/core/descriptor.hpp"

namespace hild {

std::optional<std::string> whole_file(const std::filesystem::path& file) {
  const Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return std::nullopt;
  constexpr std::size_t piece = 65536;
  std::string text;
  std::size_t used = 0;
  ssize_t got = 0;
  do {
    text.resize(used + piece);
    got = TEMP_FAILURE_RETRY(::read(fd.get(), text.data() + used, piece));
    if (got > 0) used += static_cast<std::size_t>(got);
  } while (got > 0);
  if (got < 0) return std::nullopt;
  text.resize(used);
  return text;
}

}  // namespace hild
