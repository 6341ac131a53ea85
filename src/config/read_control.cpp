// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "config/dashboard_file.hpp"
#include "config/sections.hpp"
#include "hild/core/descriptor.hpp"

namespace hild::config {
namespace {

constexpr std::size_t most_sequences = 100;

constexpr std::string_view an_address =
    "an IP address and a port, such as \"127.0.0.1:8080\" or \"[::1]:8080\"";

}  // namespace

unsigned read_mode(YamlOptions& control, unsigned fallback) {
  constexpr std::string_view expected = "permissions in octal, 0600..0777, such as \"0660\"";
  if (!control.has("mode")) return fallback;
  const std::string_view text = control.text("mode");
  unsigned mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  const bool octal = error == std::errc{} && end == text.data() + text.size();
  // Without the owner's own rights nobody, not even the next daemon, could tell who answers.
  if (!octal || mode > 0777 || (mode & 0600U) != 0600) control.mismatch("mode", expected);
  return mode;
}

namespace {

bool is_address(const std::string& text) {
  in6_addr any{};
  return inet_pton(AF_INET, text.c_str(), &any) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &any) == 1;
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

void read_http(YamlOptions& section, Control& control) {
  if (!section.has("http")) return;
  const std::string_view text = section.text("http");
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) section.mismatch("http", an_address, "there is no port");
  std::string_view address = text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  } else if (address.find(':') != std::string_view::npos) {
    section.mismatch("http", an_address, "an address with colons stands in brackets");
  }
  control.address = address == "localhost" ? "127.0.0.1" : std::string(address);
  if (!is_address(control.address)) section.mismatch("http", an_address);
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), control.port);
  if (error != std::errc{} || end != port.data() + port.size()) {
    section.mismatch("http", an_address, "a port is 0..65535, 0 for any that is free");
  }
}

void read_writing(YamlOptions& section, Control& control) {
  const std::size_t who = section.choice("writing", {"true", "false", "socket"}, 0);
  control.writing = who != 1;
  control.http_writing = who == 0;
  if (who == 2 && control.socket.empty()) {
    section.reject("writing", "found socket, and there is none: expected true or false");
  }
}

// What is sent is not encrypted: where others are on the way, it can be read and altered.
void check_reach(YamlOptions& section, const Control& control) {
  if (control.address.empty() || is_loopback(control.address)) return;
  YamlOptions& roles = section.map("roles");
  const bool tokens =
      section.has("token_file") || std::ranges::any_of(roles.keys(), [&](const std::string& role) {
        return roles.is_map(role) && roles.section(role).has("token_file");
      });
  if (!control.http_writing && !tokens) return;
  section.reject(
      "http",
      fmt::format(
          "found {}, which others can reach, and a token or a change would go there in "
          "clear: expected a loopback address such as 127.0.0.1, reached from elsewhere by "
          "an ssh tunnel (ssh -L {}:127.0.0.1:{} HOST) or a reverse proxy that adds TLS; or "
          "`writing: socket` and no token_file, for all to read and nobody to change",
          control.address, control.port, control.port));
}

void read_token(YamlOptions& section, Control& control) {
  if (!section.has("token_file")) return;
  if (control.address.empty()) {
    section.reject("token_file", "found a token without http, which alone asks for it");
  }
  const std::string file(section.path("token_file"));
  control.token = section.accept("token_file", read_token_file(file));
}

void read_control_limits(YamlOptions& limits, Control& control) {
  const auto count = [&](std::string_view key, std::int64_t low, std::int64_t high, auto fallback) {
    return static_cast<std::size_t>(
        limits.integer(key, low, high, static_cast<std::int64_t>(fallback)));
  };
  control.message = count("message", 1024, 16 << 20, control.message);
  control.depth = count("depth", 4, 64, control.depth);
  control.clients = count("clients", 1, 1000, control.clients);
  control.rate = static_cast<double>(count("rate", 1, 1'000'000, control.rate));
}

// Of dashboards, and of sequences likewise.
void check_name_of_file(YamlOptions& files, const std::string& name) {
  if (!is_dashboard_name(name)) {
    files.reject(name, fmt::format("found the name \"{}\", expected {}", name, a_dashboard_name));
  }
}

void read_dashboards(YamlOptions& section, Control& control) {
  YamlOptions& files = section.map("dashboards");
  if (files.keys().size() > most_dashboards) {
    section.reject("dashboards", fmt::format("found {} dashboards, expected {} at most",
                                             files.keys().size(), most_dashboards));
  }
  for (const std::string& name : files.keys()) {
    files.attempt(name, [&] {
      check_name_of_file(files, name);
      const std::string file(files.path(name));
      control.dashboards.push_back({name, files.accept(name, read_dashboard_file(file))});
    });
  }
}

// What is in the files is for whoever can read sequences.
void read_sequences(YamlOptions& section, Control& control) {
  YamlOptions& files = section.map("sequences");
  if (files.keys().size() > most_sequences) {
    section.reject("sequences", fmt::format("found {} sequences, expected {} at most",
                                            files.keys().size(), most_sequences));
  }
  if (!files.keys().empty() && control.socket.empty()) {
    section.reject("sequences",
                   "found sequences and `socket: none`: they are run by a client of the Unix "
                   "socket, which must be there");
  }
  for (const std::string& name : files.keys()) {
    files.attempt(name, [&] {
      check_name_of_file(files, name);
      control.sequences.push_back({name, std::string(files.path(name))});
    });
  }
}

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

void read_control(YamlOptions& root, Config& config) {
  YamlOptions* const section = root.child("control");
  if (section == nullptr) return;
  Control& control = config.control.emplace();
  const std::string_view socket = section->text("socket", control.socket);
  if (socket == "none") {
    control.socket.clear();
  } else if (socket != "auto") {
    control.socket = section->path("socket");
  }
  control.mode = read_mode(*section, control.mode);
  control.group = section->text("group", "");
  read_http(*section, control);
  if (control.socket.empty() && control.address.empty()) {
    section->reject("socket", "found none, and no http: expected one of them at least");
  }
  read_writing(*section, control);
  check_reach(*section, control);
  read_token(*section, control);
  if (YamlOptions* limits = section->child("limits")) read_control_limits(*limits, control);
  read_sequences(*section, control);
  read_roles(*section, config);
  read_dashboards(*section, control);
  // Nobody asks more often than a thousand times a second; a reply waits for the image after it.
  constexpr double images_a_second = 1000;
  config.settings.snapshot_every =
      std::max(1, static_cast<int>(std::lround(config.settings.grid.rate_hz() / images_a_second)));
}

}  // namespace hild::config
