// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_options.hpp"

#include <algorithm>
#include <cmath>

#include "drivers/channel_unit.hpp"
#include "hild/core/units.hpp"

namespace hild::udp {
namespace {

constexpr std::int64_t last_byte = static_cast<std::int64_t>(longest_packet) - 1;
constexpr std::int64_t most_at_once = 256;
constexpr double greatest = std::numeric_limits<double>::max();

bool read_big(io::Options& options, bool usual) {
  return options.choice("byte_order", {"little", "big"}, usual ? 1 : 0) == 1;
}

// ---- the device --------------------------------------------------------------------------------

std::optional<Address> read_end(io::Options& options, std::string_view key, Without without) {
  if (!options.has(key)) return {};
  const auto address = parse_address(options.text(key), without);
  if (!address) options.reject(key, address.error().message);
  return *address;
}

void check_one_family(io::Options& options, std::string_view key, const Address& one,
                      const Address& other) {
  if (one.family() == other.family()) return;
  options.reject(key, fmt::format("found {}, expected an address of IPv{}, as {} is",
                                  one.words().view(), other.v6() ? 6 : 4, other.words().view()));
}

void check_interface(io::Options& options, const Ends& ends, std::string_view key,
                     const std::optional<Address>& end) {
  if (!end || !ends.interface.view().empty()) return;
  if (!end->multicast() && !end->link_local()) return;
  options.reject(key,
                 fmt::format("found {}, {}, expected `interface: NAME` beside it (`ip -br "
                             "link` lists them)",
                             end->words().view(),
                             end->multicast() ? "a multicast group" : "an address of one link"));
}

void check_way_out(io::Options& options, const Ends& ends) {
  if (!ends.listen || !ends.send) return;
  check_one_family(options, "send", *ends.send, *ends.listen);
  const bool stays = ends.send->loopback() || ends.interface == "lo";
  if (!ends.listen->loopback() || stays) return;
  options.reject("send", fmt::format("found {}, expected an address of this machine: packets are "
                                     "sent from {} (`listen`), which only this machine can reach; "
                                     "listen at an address of the network, or at {}:{}",
                                     ends.send->words().view(), ends.listen->words().view(),
                                     ends.listen->v6() ? "[::]" : "0.0.0.0", ends.listen->port()));
}

Ends read_ends(io::Options& options) {
  Ends ends{.listen = read_end(options, "listen", Without::host),
            .send = read_end(options, "send", Without::nothing),
            .interface = {}};
  if (!ends.listen && !ends.send) {
    options.reject("listen",
                   "found nothing, expected `listen: ADDRESS:PORT`, where packets arrive, "
                   "or `send: ADDRESS:PORT`, where they go to");
  }
  if (options.has("interface")) {
    const std::string_view name = options.text("interface");
    if (name.size() > 15) {
      options.reject("interface", fmt::format("found \"{}\", expected the name of an interface, of "
                                              "at most 15 characters",
                                              name));
    }
    ends.interface = name;
  }
  check_interface(options, ends, "listen", ends.listen);
  check_interface(options, ends, "send", ends.send);
  check_way_out(options, ends);
  return ends;
}

std::size_t read_at(io::Options& options) {
  return static_cast<std::size_t>(options.integer("at", 0, last_byte));
}

Field read_sequence(io::Options& options, bool big) {
  constexpr std::array types{Type::u8, Type::u16, Type::u32, Type::u64};
  return {.at = read_at(options),
          .type = types[options.choice("type", {"u8", "u16", "u32", "u64"})],
          .big = read_big(options, big)};
}

/// Its value is in seconds.
Field read_time(io::Options& options, bool big) {
  Field field{.at = read_at(options)};
  field.type = static_cast<Type>(
      options.choice("type", {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"}));
  field.big = read_big(options, big);
  const std::string_view unit = options.text("unit", "s");
  const auto factor = conversion_factor(unit, "s");
  if (!factor) options.reject("unit", factor.error().message);
  field.factor = *factor;
  return field;
}

/// `receive` or `transmit`, whose absence is an empty packet.
Packet read_packet(io::Options* options, bool big) {
  if (options == nullptr) return Packet();
  Packet packet(static_cast<std::size_t>(
      options->integer("length", 1, static_cast<std::int64_t>(longest_packet))));
  if (io::Options* const map = options->child("sequence")) {
    const auto placed = packet.place_sequence(read_sequence(*map, big));
    if (!placed) options->reject("sequence", placed.error().message);
  }
  if (io::Options* const map = options->child("time")) {
    const auto placed = packet.place_time(read_time(*map, big));
    if (!placed) options->reject("time", placed.error().message);
  }
  return packet;
}

void check_end_of(io::Options& options, std::string_view key, std::string_view needed, bool there) {
  if (!options.has(key) || there) return;
  options.reject(key, fmt::format("found a packet, expected `{}: ADDRESS:PORT` beside it", needed));
}

SenderClock read_clock(io::Options* receive) {
  io::Options* const time = receive != nullptr ? receive->child("time") : nullptr;
  if (time == nullptr) return SenderClock::own;
  return static_cast<SenderClock>(time->choice("clock", {"own", "monotonic", "realtime"}, 0));
}

// ---- a channel ---------------------------------------------------------------------------------

Type read_type(io::Options& entry) {
  if (!entry.has("bit")) {
    return static_cast<Type>(entry.choice(
        "type", {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "bool"}));
  }
  if (entry.has("type")) entry.reject("bit", "found bit and type, expected one of them");
  return Type::bit;
}

/// What the type can carry, in the unit of the channel; finite.
io::Interval carried(const Field& field) {
  const io::Interval raw = carried_by(field.type);
  const auto value = [&](double number) {
    return std::clamp(field.factor * number + field.add, -greatest, greatest);
  };
  const auto [low, high] = std::minmax({value(raw.low), value(raw.high)});
  return {low, high};
}

io::Interval read_range(io::Options& entry, const Field& field, std::string_view unit) {
  const io::Interval all = carried(field);
  const io::Interval range = entry.interval("range", unit, all);
  if (range.low < all.low || range.high > all.high) {
    entry.reject("range", fmt::format("found {}..{}, expected a range within {}..{} {}, which {} "
                                      "carries with this `factor` and `add`",
                                      range.low, range.high, all.low, all.high, unit,
                                      to_string(field.type)));
  }
  return range;
}

/// Of a number; digital fields have none of these keys.
void read_scale(io::Options& entry, ChannelKeys& keys) {
  keys.unit = read_channel_unit(entry);
  const std::string_view unit = keys.unit.view();
  keys.field.factor = entry.number("factor", unit, 1.0);
  if (keys.field.factor == 0) entry.reject("factor", "found 0, expected anything but 0");
  keys.field.add = entry.number("add", unit, 0.0);
  keys.range = read_range(entry, keys.field, unit);
}

}  // namespace

Settings read_settings(io::Options& options) {
  Settings settings;
  settings.ends = read_ends(options);
  settings.big = read_big(options, false);
  settings.receive.from = read_end(options, "from", Without::port);
  if (settings.receive.from && !settings.ends.listen) {
    options.reject("from", "found a sender, expected `listen: ADDRESS:PORT` beside it");
  }
  if (settings.receive.from) {
    check_one_family(options, "from", *settings.receive.from, *settings.ends.listen);
  }
  check_end_of(options, "receive", "listen", settings.ends.listen.has_value());
  check_end_of(options, "transmit", "send", settings.ends.send.has_value());
  io::Options* const receive = options.child("receive");
  settings.receive.packet = read_packet(receive, settings.big);
  settings.receive.clock = read_clock(receive);
  settings.receive.at_once =
      static_cast<std::size_t>(options.integer("packets", 1, most_at_once, 16));
  settings.transmit = read_packet(options.child("transmit"), settings.big);
  return settings;
}

ChannelKeys read_channel(io::Direction direction, io::Options& entry, bool big) {
  const bool input = direction == io::Direction::input;
  ChannelKeys keys;
  keys.field.at = read_at(entry);
  keys.field.type = read_type(entry);
  keys.range = {0, 1};
  if (keys.field.type == Type::bit) {
    keys.field.bit = static_cast<unsigned>(entry.integer("bit", 0, 7));
  }
  if (!keys.field.digital()) {
    keys.field.big = read_big(entry, big);
    read_scale(entry, keys);
  }
  if (!input) return keys;
  keys.field.range = keys.range;
  if (!keys.field.digital()) keys.held = entry.boolean("held", false);
  keys.start = keys.field.digital()
                   ? static_cast<double>(entry.integer("start", 0, 1, 0))
                   : entry.number("start", keys.unit.view(),
                                  std::clamp(0.0, keys.range.low, keys.range.high), keys.range);
  return keys;
}

io::Channel describe(const ChannelKeys& keys) {
  const Field& field = keys.field;
  return {.range = keys.range,
          .digital = field.digital(),
          .held = keys.held,
          .resolution = is_whole(field.type) ? std::abs(field.factor) : 0,
          .where = where(field),
          .unit = keys.unit};
}

}  // namespace hild::udp
