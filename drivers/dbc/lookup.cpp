// SPDX-License-Identifier: Apache-2.0
#include "drivers/dbc/lookup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "drivers/can/identifiers.hpp"
#include "drivers/dbc/dbc.hpp"

namespace hild::can {
namespace {

constexpr std::size_t most_named = 12;
constexpr std::size_t longest_misspelled = 64;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Letters to insert, remove or replace; case does not count.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

bool near(std::string_view a, std::string_view b) {
  if (a.size() > longest_misspelled || b.size() > longest_misspelled) return false;
  return distance(a, b) <= std::max<std::size_t>(1, std::min(a.size(), b.size()) / 3);
}

template <class All>
std::vector<std::string_view> names_of(const All& all) {
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

auto cannot_read(std::string_view path, std::string_view why) {
  return fail("cannot read {}: {}; expected the path of a DBC file", path, why);
}

}  // namespace

Result<Database> read_dbc_file(std::string_view path) {
  const std::filesystem::path file(path);
  std::error_code problem;
  // A folder can be opened, and a pipe would be waited for.
  if (const auto kind = std::filesystem::status(file, problem); problem) {
    return cannot_read(path, problem.message());
  } else if (!std::filesystem::is_regular_file(kind)) {
    return cannot_read(path, "it is no file");
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return cannot_read(path, std::strerror(errno));
  std::string text;
  std::vector<char> some(std::size_t{1} << 16);
  while (in && text.size() <= most_dbc_bytes) {
    in.read(some.data(), static_cast<std::streamsize>(some.size()));
    text.append(some.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return cannot_read(path, "reading failed");
  return read_dbc(text, path);
}

std::string suggestion(std::string_view found, const std::vector<std::string_view>& known) {
  std::vector<std::string_view> close;
  std::ranges::copy_if(known, std::back_inserter(close),
                       [&](std::string_view name) { return near(found, name); });
  const bool guess = !close.empty();
  if (!guess) close = known;
  if (close.empty()) return "there are none";
  const std::size_t more = close.size() - std::min(close.size(), most_named);
  close.resize(close.size() - more);
  const auto words = fmt::format("\"{}\"", fmt::join(close, "\", \""));
  if (guess) return fmt::format("did you mean {}?", words);
  return more == 0 ? fmt::format("there are {}", words)
                   : fmt::format("there are {} and {} more", words, more);
}

Result<const Message*> find_message(const Database& database, std::string_view name) {
  if (const Message* const message = database.find(name)) return message;
  return fail("found \"{}\", expected a message of the DBC file ({})", name,
              suggestion(name, names_of(database.messages)));
}

Result<Found> find_signal(const Database& database, std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string_view of_message = name.substr(0, dot);
  const Message* const message = database.find(of_message);
  if (dot == name.npos || message == nullptr) {
    return fail("found \"{}\", expected MESSAGE.SIGNAL with a message of the DBC file ({})", name,
                suggestion(of_message, names_of(database.messages)));
  }
  const std::string_view of_signal = name.substr(dot + 1);
  if (const Signal* const signal = message->find(of_signal)) return Found{message, signal};
  return fail("found \"{}\", expected a signal of message {}, line {} of the DBC file ({})", name,
              message->name, message->line, suggestion(of_signal, names_of(message->signals)));
}

bool alone_in_its_group(const Database& database, const Message& message) {
  return std::ranges::none_of(database.messages, [&](const Message& other) {
    return &other != &message && other.j1939 && same_group(other.id, message.id);
  });
}

std::size_t depth_of(const Message& message, const Signal& signal) {
  std::size_t depth = 0;
  for (const Signal* one = &signal; one->multiplexing.switched_by; ++depth) {
    one = &message.signals[*one->multiplexing.switched_by];
  }
  return depth;
}

}  // namespace hild::can
