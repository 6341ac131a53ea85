// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a DBC file says, and what is in payloads by it, for another reader to compare:
///   dbc_peer FILE < requests
/// A request is a line, and so is its answer; payloads are hexadecimal.
///   list                                  what there is, in several lines, and a dot
///   decode MESSAGE PAYLOAD                SIGNAL RAW VALUE ... of those that are there
///   encode MESSAGE PAYLOAD SIGNAL VALUE ...  the payload with the values in it
#include <fmt/format.h>

#include <array>
#include <iostream>
#include <sstream>

#include "drivers/dbc/dbc.hpp"
#include "hild/core/whole_file.hpp"

namespace hild::can {
namespace {

using Buffer = std::array<std::uint8_t, buffer_bytes>;

Buffer from_hex(const std::string& hex) {
  Buffer payload{};
  for (std::size_t i = 0; i + 1 < hex.size() && i / 2 < most_bytes; i += 2) {
    payload[i / 2] = static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16));
  }
  return payload;
}

void list(const Database& database) {
  for (const Message& m : database.messages) {
    fmt::print("{} {} {} {} {}\n", m.name, m.id, m.extended ? 1 : 0, m.length,
               m.cycle_time ? m.cycle_time->ns / 1'000'000 : 0);
    for (const Signal& s : m.signals) fmt::print(" {} \"{}\"\n", s.name, s.unit);
  }
  fmt::print(".\n");
}

void decode(const Message& message, const Buffer& payload) {
  for (const Signal& signal : message.signals) {
    if (!presence_of(message, signal).in(payload)) continue;
    const Field field(signal.layout);
    fmt::print("{} {} {:.17g} ", signal.name, field.get(payload), field.decode(payload));
  }
  fmt::print("\n");
}

void encode(const Message& message, Buffer payload, std::istream& values) {
  std::string name;
  std::string value;
  while (values >> name >> value) {
    const Signal* const signal = message.find(name);
    const bool within = signal && Field(signal->layout).encode(std::stod(value), payload);
    if (!within) fmt::print("!{} ", name);
  }
  for (int i = 0; i < message.length; ++i)
    fmt::print("{:02x}", payload[static_cast<std::size_t>(i)]);
  fmt::print("\n");
}

void answer(const Database& database, const std::string& request) {
  std::istringstream words(request);
  std::string what;
  std::string name;
  std::string payload;
  words >> what >> name >> payload;
  const Message* const message = database.find(name);
  if (what == "list") {
    list(database);
  } else if (message == nullptr) {
    fmt::print("no message {}\n", name);
  } else if (what == "decode") {
    decode(*message, from_hex(payload));
  } else {
    encode(*message, from_hex(payload), words);
  }
}

int run(int argc, char** argv) {
  const auto text = argc == 2 ? whole_file(argv[1]) : std::nullopt;
  if (!text) {
    fmt::print(stderr, "usage: dbc_peer FILE\n");
    return 1;
  }
  const auto database = read_dbc(*text, argv[1]);
  if (!database) {
    fmt::print(stderr, "{}\n", database.error().message);
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) answer(*database, line);
  return 0;
}

}  // namespace
}  // namespace hild::can

int main(int argc, char** argv) { return hild::can::run(argc, argv); }
