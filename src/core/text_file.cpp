// SPDX-License-Identifier: Apache-2.0
#include "core/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hild {

Result<TextFile> TextFile::create(const std::string& file) {
  if (file.empty()) return TextFile({}, "standard output");
  Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!made) return fail("cannot write {}: {}", file, std::strerror(errno));
  return TextFile(std::move(made), file);
}

TextFile::TextFile(Descriptor file, std::string name)
    : file_(std::move(file)), at_once_(::isatty(place()) == 1), name_(std::move(name)) {
  buffer_.reserve(block);
}

void TextFile::flush() {
  if (error_ == 0 && !write_all(place(), buffer_)) error_ = errno;
  buffer_.clear();
}

Result<void> TextFile::close() {
  flush();
  const bool to_reader = !file_;
  if (!file_.close() && error_ == 0) error_ = errno;
  if (error_ == 0 || (to_reader && reader_left())) return {};
  return fail(ExitCode::fault, "cannot write {}: {}", name_, std::strerror(error_));
}

}  // namespace hild
