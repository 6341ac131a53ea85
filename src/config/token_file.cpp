// SPDX-License-Identifier: Apache-2.0
#include "config/token_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "hild/core/descriptor.hpp"

namespace hild::config {
namespace {

/// What a subprotocol of a WebSocket, and so a browser, can carry: RFC 7230's tchar.
bool in_token(char c) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || marks.find(c) != marks.npos;
}

}  // namespace

Result<std::string> read_token_file(const std::string& path) {
  // Not to wait for a writer, should it be a pipe.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return fail("{}: {}", path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail("{}: not a file", path);
  }
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) {
    return fail(
        "{}: belongs to user {}, who knows the token, expected root or user {}: chown {} {}", path,
        status.st_uid, ::geteuid(), ::geteuid(), path);
  }
  if ((status.st_mode & S_IRWXO) != 0) {
    return fail("{}: others may read or write it: chmod o= {}", path, path);
  }
  std::array<char, longest_token + 64> bytes{};
  const ssize_t size = ::read(file.get(), bytes.data(), bytes.size());
  if (size < 0) return fail("{}: {}", path, std::strerror(errno));
  std::string token(bytes.data(), static_cast<std::size_t>(size));
  boost::trim_if(token, boost::is_any_of(" \t\r\n"));
  if (token.size() < shortest_token || token.size() > longest_token) {
    return fail("{}: a token of {} characters, expected {}..{}, such as: openssl rand -hex 32",
                path, token.size(), shortest_token, longest_token);
  }
  if (!std::ranges::all_of(token, in_token)) {
    return fail(
        "{}: expected letters, digits and !#$%&'*+-.^_`|~ only, such as: openssl rand "
        "-hex 32",
        path);
  }
  return token;
}

}  // namespace hild::config
