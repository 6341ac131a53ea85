// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_setup.hpp"

#include <cmath>

#include "drivers/can/bus_load.hpp"
#include "drivers/can/identifiers.hpp"
#include "drivers/channel_unit.hpp"
#include "drivers/dbc/lookup.hpp"
#include "hild/core/units.hpp"

namespace hild::can {
namespace {

constexpr std::int64_t most_at_once = 1024;
constexpr double busy_bus = 0.8;
constexpr Duration longest_safe = 3_s;  // in which whoever ends hild, and a watchdog, wait for it

// ---- counter and checksum ----------------------------------------------------------------------

std::uint16_t bit_of(io::Options& o, std::string_view key, std::int64_t usual) {
  return static_cast<std::uint16_t>(o.integer(key, 0, 8 * 64 - 1, usual));
}
std::uint16_t crc_byte(io::Options& o) {
  return static_cast<std::uint16_t>(o.integer("crc_byte", 0, 63, 0));
}
MostSteps most_steps(io::Options& o) {
  return static_cast<MostSteps>(o.integer("most_lost", 0, 253, 0) + 1);
}
std::uint16_t data_id(io::Options& o) {
  return static_cast<std::uint16_t>(o.integer("data_id", 0, 0xffff));
}

Bits bits_at(unsigned first, unsigned count) {
  Bits bits;
  for (unsigned i = first; i < first + count && i < bits.size(); ++i) bits[i] = true;
  return bits;
}

struct ReadProtection {
  Protection::Any any;
  Bits bits;
  std::size_t crc_byte;
};

ReadProtection read_profile1(io::Options& o) {
  Profile1::Settings s;
  s.data_id = data_id(o);
  s.mode = static_cast<Profile1::IdMode>(
      o.choice("data_id_mode", {"both", "alternate", "low", "nibble"}, 0));
  s.crc_byte = crc_byte(o);
  s.counter_bit = bit_of(o, "counter_bit", 8);
  s.most_steps = most_steps(o);
  Bits bits = bits_at(8U * s.crc_byte, 8) | bits_at(s.counter_bit, 4);
  if (s.mode == Profile1::IdMode::nibble) {
    s.nibble_bit = bit_of(o, "nibble_bit", 12);
    bits |= bits_at(s.nibble_bit, 4);
  }
  return {Profile1(s), bits, s.crc_byte};
}

ReadProtection read_profile2(io::Options& o) {
  Profile2::Settings s;
  const auto ids = o.numbers("data_ids", "1");
  const bool good = ids.size() == s.data_ids.size() && std::ranges::all_of(ids, [](double id) {
                      return id >= 0 && id <= 255 && id == std::floor(id);
                    });
  if (!good) o.reject("data_ids", "expected a list of 16 whole numbers, 0..255, one a counter");
  std::ranges::transform(ids, s.data_ids.begin(),
                         [](double id) { return static_cast<std::uint8_t>(id); });
  s.crc_byte = crc_byte(o);
  s.most_steps = most_steps(o);
  return {Profile2(s), bits_at(8U * s.crc_byte, 12), s.crc_byte};
}

ReadProtection read_profile5(io::Options& o) {
  Profile5::Settings s;
  s.data_id = data_id(o);
  s.crc_byte = crc_byte(o);
  s.most_steps = most_steps(o);
  return {Profile5(s), bits_at(8U * s.crc_byte, 24), s.crc_byte};
}

ReadProtection read_plain(io::Options& o) {
  CrcAndCounter::Settings s;
  s.crc_byte = crc_byte(o);
  s.counter_bit = bit_of(o, "counter_bit", 8);
  s.counter_bits = static_cast<std::uint8_t>(o.integer("counter_bits", 1, 8, 4));
  const std::int64_t all = (std::int64_t{1} << s.counter_bits) - 1;
  s.last_counter = static_cast<std::uint8_t>(o.integer("last_counter", 1, all, all));
  s.most_steps = most_steps(o);
  return {CrcAndCounter(s), bits_at(8U * s.crc_byte, 8) | bits_at(s.counter_bit, s.counter_bits),
          s.crc_byte};
}

bool fits(const Protection::Any& any, std::size_t bytes) {
  return std::visit(
      [&](const auto& p) {
        if constexpr (requires { p.fits(bytes); }) return p.fits(bytes);
        return true;
      },
      any);
}

Protection read_protection(io::Options& keys, const Message& message) {
  io::Options* const o = keys.child("protect");
  if (o == nullptr) return {};
  constexpr std::array read{read_profile1, read_profile2, read_profile5, read_plain};
  const auto found = read[o->choice("profile", {"e2e-1", "e2e-2", "e2e-5", "crc-8"})](*o);
  if (!fits(found.any, static_cast<std::size_t>(message.length))) {
    keys.reject(
        "protect",
        fmt::format("expected counter and checksum beside each other within the {} bytes of "
                    "{} (line {} of the DBC file)",
                    message.length, message.name, message.line));
  }
  return {found.any, found.bits, found.crc_byte};
}

// ---- a message ---------------------------------------------------------------------------------

canid_t identifier(const Message& message) {
  return message.id | (message.extended ? CAN_EFF_FLAG : 0);
}

/// J1939: whoever sends it, and whatever its priority.
canid_t mask_of(const Database& database, const Message& message) {
  // Without CAN_ERR_FLAG, by which the kernel would take it for a filter of error frames.
  constexpr canid_t kind = CAN_EFF_FLAG | CAN_RTR_FLAG;
  if (!message.extended) return kind | CAN_SFF_MASK;
  if (!message.j1939) return kind | CAN_EFF_MASK;
  // Where others are of its group, they are told apart by who sends them.
  const canid_t group = has_destination(message.id) ? 0x3ff0000U : 0x3ffff00U;
  return kind | group | (alone_in_its_group(database, message) ? 0U : 0xffU);
}

/// What no frame of the device can carry, in words; of length 0 where one can.
Name not_carried(const Message& message, bool fd) {
  if (message.fd && !fd)
    return std::string_view("a message of CAN FD, expected `fd: true` of the device");
  if (message.j1939 && message.length > 8) {
    return std::string_view("of more than 8 bytes, which J1939 sends in several frames");
  }
  return {};
}

void check_carried(io::Options& options, std::string_view key, const Message& message, bool fd) {
  const Name why = not_carried(message, fd);
  if (why.view().empty()) return;
  options.reject(key, fmt::format("found {} (line {} of the DBC file), which is {}", message.name,
                                  message.line, why.view()));
}

Sending usual_sending(const Message& message) {
  switch (message.send_type) {
    case SendType::cyclic:
      return Sending::cyclic;
    case SendType::on_change:
      return Sending::change;
    case SendType::cyclic_and_on_change:
      return Sending::cyclic_and_change;
    default:
      return message.cycle_time ? Sending::cyclic : Sending::each;
  }
}

Outgoing usual_way(const Message& message) {
  Outgoing out;
  out.id = identifier(message);
  out.length = static_cast<std::size_t>(message.length);
  out.fd = message.fd;
  out.padded = message.fd ? static_cast<std::size_t>(fd_length(message.length)) : out.length;
  out.cycle = message.cycle_time.value_or(Duration{});
  out.sending = out.cycle.ns == 0 && usual_sending(message) != Sending::change
                    ? Sending::each
                    : usual_sending(message);
  out.offset = message.start_delay.value_or(Duration{});
  return out;
}

Outgoing read_way(io::Options& keys, const Message& message) {
  Outgoing out = usual_way(message);
  out.sending =
      static_cast<Sending>(keys.choice("send", {"each", "change", "cyclic", "cyclic+change"},
                                       static_cast<std::size_t>(out.sending)));
  if (out.cyclic()) {
    out.cycle =
        message.cycle_time ? keys.duration("cycle", message.cycle_time) : keys.duration("cycle");
    if (out.cycle.ns <= 0) keys.reject("cycle", "expected a time above 0");
    out.offset = keys.duration("offset", out.offset);
    out.safe_for = keys.duration("safe_for", Duration{});
    if (out.safe_for > longest_safe) keys.reject("safe_for", "expected 3 s at most");
  }
  out.silent = keys.choice("when_dead", {"safe", "silence"}, 0) == 1;
  if (out.silent && out.safe_for.ns > 0) {
    keys.reject("safe_for", "found a time beside `when_dead: silence`, expected one of them");
  }
  return out;
}

// ---- a signal ----------------------------------------------------------------------------------

double nearest_to_zero(const Field& field) { return std::clamp(0.0, field.low(), field.high()); }

double value_at_start(const Signal& signal) {
  const Field field(signal.layout);
  const auto start = start_of(signal);
  return start ? std::clamp(*start, field.low(), field.high()) : nearest_to_zero(field);
}

/// 0 or 1, of no unit.
bool is_digital(const Signal& signal) {
  const Layout& l = signal.layout;
  return l.length == 1 && !l.is_signed && l.factor == 1 && l.offset == 0 && signal.unit.empty();
}

Name unit_of(const Signal& signal, io::Options& entry) {
  if (entry.has("unit")) return read_channel_unit(entry);
  if (signal.unit.empty()) return Name("1");
  // Taken for a number without unit it might pass for an angle, say, in another unit.
  if (signal.unit.size() > Name::capacity || !unit_conversion(signal.unit, signal.unit)) {
    entry.reject("signal", fmt::format("found the unit \"{}\" (line {} of the DBC file), which is "
                                       "none that is known, expected `unit: ...` beside it",
                                       signal.unit, signal.line));
  }
  return Name(signal.unit);
}

io::Channel describe(const Message& message, const Signal& signal, io::Options& entry) {
  const Field field(signal.layout);
  io::Channel channel;
  channel.where = Name(fmt::format("{}.{}", message.name, signal.name));
  channel.digital = is_digital(signal);
  if (channel.digital) {
    channel.range = {0, 1};
    return channel;
  }
  channel.unit = unit_of(signal, entry);
  channel.range = {field.low(), field.high()};
  channel.held = entry.boolean("held", signal.values != nullptr);
  if (signal.layout.number == Number::integer) channel.resolution = std::abs(signal.layout.factor);
  return channel;
}

}  // namespace

// ---- the device --------------------------------------------------------------------------------

Setup::Setup(io::Options& options) {
  const std::string_view interface = options.text("interface");
  if (interface.empty() || interface.size() > 15) {
    options.reject("interface",
                   fmt::format("found \"{}\", expected the name of an interface, of at "
                               "most 15 characters (`ip -br link show type can`)",
                               interface));
  }
  link_ = {.interface = interface, .fd = options.boolean("fd", false)};
  at_once_ = static_cast<std::size_t>(options.integer("frames", 1, most_at_once, 64));
  if (options.has("bit_rate")) {
    BitRates rates;
    rates.nominal = options.number("bit_rate", "bit/s", {}, {1e3, 1e6});
    rates.data = options.number("data_bit_rate", "bit/s", rates.nominal, {1e3, 8e6});
    rates_ = rates;
  }
  auto database = read_dbc_file(options.path("dbc"));
  if (!database) options.reject("dbc", database.error().message);
  database_ = std::move(*database);
  read_messages(options);
  find_load();
}

void Setup::read_messages(io::Options& options) {
  io::Options* const receive = options.child("receive");
  io::Options* const transmit = options.child("transmit");
  io::Options* const rest = options.child("rest_of_bus");
  received_.resize(database_.messages.size());
  sent_.resize(database_.messages.size());
  for (std::size_t m = 0; m < database_.messages.size(); ++m) {
    const Message& message = database_.messages[m];
    sent_[m].sending = usual_way(message);
    if (io::Options* keys = receive != nullptr ? receive->child(message.name) : nullptr) {
      check_carried(*receive, message.name, message, link_.fd);
      received_[m] = {.protection = read_protection(*keys, message), .sending = {}, .told = true};
    }
    read_rest(rest, m);
    if (io::Options* keys = transmit != nullptr ? transmit->child(message.name) : nullptr) {
      check_carried(*transmit, message.name, message, link_.fd);
      sent_[m] = {read_protection(*keys, message), read_way(*keys, message), true, false};
    }
  }
}

// What a node that is not there would send. Of what has no cycle there is one, and no more.
void Setup::read_rest(io::Options* nodes, std::size_t m) {
  const Message& message = database_.messages[m];
  if (nodes == nullptr || message.sender.empty()) return;
  if (!nodes->has(message.sender) || !nodes->boolean(message.sender)) return;
  check_carried(*nodes, message.sender, message, link_.fd);
  Keys& sent = sent_[m];
  sent.rest = true;
  if (sent.sending.sending == Sending::each) sent.sending.sending = Sending::change;
}

Result<io::Channel> Setup::add(io::Direction direction, io::Options& entry) {
  if (direction == io::Direction::output && entry.has("trigger")) return add_trigger(entry);
  const auto found = find_signal(database_, entry.text("signal"));
  if (!found) entry.reject("signal", found.error().message);
  const Message& message = *found->message;
  check_carried(entry, "signal", message, link_.fd);
  const Placed at{static_cast<std::size_t>(found->message - database_.messages.data()),
                  static_cast<std::size_t>(found->signal - message.signals.data())};
  const io::Channel channel = describe(message, *found->signal, entry);
  if (direction == io::Direction::input) return add_input(at, entry, channel);
  if (auto added = add_output(at); !added) return tl::make_unexpected(added.error());
  return channel;
}

bool Setup::is_sent(std::size_t message) const {
  return sent_[message].told || sent_[message].rest ||
         std::ranges::any_of(outputs_, [&](const Placed& p) { return p.message == message; });
}

// What is to be known of its frames.
Incoming Setup::without_parts(std::size_t m) const {
  const Message& message = database_.messages[m];
  Incoming in;
  in.mask = mask_of(database_, message);
  in.id = identifier(message) & in.mask;
  in.length = static_cast<std::size_t>(message.length);
  in.protection = received_[m].protection;
  return in;
}

std::vector<Incoming> Setup::all_messages() const {
  std::vector<Incoming> all;
  for (std::size_t m = 0; m < database_.messages.size(); ++m) {
    const Message& message = database_.messages[m];
    Incoming& in = all.emplace_back(without_parts(m));
    if (is_sent(m)) in.protection = sent_[m].protection;
    for (std::size_t s = 0; s < message.signals.size(); ++s) {
      const Signal& signal = message.signals[s];
      in.parts.push_back({Field(signal.layout), presence_of(message, signal), s});
    }
  }
  return all;
}

// A message is an image group.
Result<std::size_t> Setup::group_of(std::size_t m) {
  const Message& message = database_.messages[m];
  const auto known = std::ranges::find(groups_, m);
  if (known != groups_.end()) return static_cast<std::size_t>(known - groups_.begin());
  if (is_sent(m)) {
    return fail("{} is sent by this device, which does not receive what it sends", message.name);
  }
  incoming_.push_back(without_parts(m));
  groups_.push_back(m);
  return groups_.size() - 1;
}

Result<io::Channel> Setup::add_input(const Placed& at, io::Options& entry, io::Channel channel) {
  const Message& message = database_.messages[at.message];
  const Signal& signal = message.signals[at.signal];
  const auto group = group_of(at.message);
  if (!group) return tl::make_unexpected(group.error());
  channel.group = *group;
  channel.cycle = message.cycle_time.value_or(Duration{});
  const Field field(signal.layout);
  const double usual = value_at_start(signal);
  start_.push_back(channel.digital
                       ? static_cast<double>(entry.integer("start", 0, 1, usual != 0 ? 1 : 0))
                       : entry.number("start", channel.unit.view(), usual, channel.range));
  incoming_[*group].parts.push_back({field, presence_of(message, signal), start_.size() - 1});
  return channel;
}

Result<io::Channel> Setup::add_trigger(io::Options& entry) {
  const auto found = find_message(database_, entry.text("trigger"));
  if (!found) entry.reject("trigger", found.error().message);
  const Message& message = **found;
  if (entry.has("signal")) {
    entry.reject("trigger", "found it beside `signal`, expected one of them");
  }
  check_carried(entry, "trigger", message, link_.fd);
  const Placed at{static_cast<std::size_t>(&message - database_.messages.data()), Placed::trigger};
  if (auto added = add_output(at); !added) return tl::make_unexpected(added.error());
  io::Channel channel;
  channel.where = Name(fmt::format("{} (trigger)", message.name));
  channel.digital = true;
  channel.range = {0, 1};
  return channel;
}

Result<void> Setup::add_output(const Placed& at) {
  const Message& message = database_.messages[at.message];
  const bool triggers = at.signal == Placed::trigger;
  for (const Placed& other : outputs_) {
    if (other.message == at.message && other.signal == at.signal) {
      return fail("{}.{} is already used by another signal", message.name,
                  triggers ? std::string_view("trigger") : message.signals[at.signal].name);
    }
  }
  if (std::ranges::find(groups_, at.message) != groups_.end()) {
    return fail("{} is received by this device, and so is not its to send", message.name);
  }
  const auto is_filled_in = [&](const Signal& signal) {
    return (bits_of(signal.layout) & sent_[at.message].protection.bits()).any();
  };
  if (!triggers && is_filled_in(message.signals[at.signal])) {
    return fail("{}.{} is of the counter or the checksum that `protect` fills in", message.name,
                message.signals[at.signal].name);
  }
  outputs_.push_back(at);
  return {};
}

Result<void> Setup::check() const {
  for (std::size_t m = 0; m < received_.size(); ++m) {
    if (!received_[m].told || std::ranges::find(groups_, m) != groups_.end()) continue;
    return fail("found `receive` of {}, from which no input is, expected an input of it",
                database_.messages[m].name);
  }
  const auto wanted = [](const Keys& k) { return k.told || k.rest; };
  if (outputs_.empty() && std::ranges::any_of(sent_, wanted)) {
    return fail(
        "found `transmit` or `rest_of_bus` of a device without outputs, which sends nothing; "
        "expected an output");
  }
  for (const Placed& output : outputs_) {
    if (output.signal == Placed::trigger) continue;
    if (auto checked = check_switches(output); !checked) return checked;
  }
  return {};
}

bool Setup::is_output(std::size_t message, std::size_t signal) const {
  return std::ranges::any_of(
      outputs_, [&](const Placed& p) { return p.message == message && p.signal == signal; });
}

// A signal that its switches, which nobody moves, keep out of its message would never be sent.
Result<void> Setup::check_switches(const Placed& output) const {
  const Message& message = database_.messages[output.message];
  const Signal* signal = &message.signals[output.signal];
  for (; signal->multiplexing.switched_by;) {
    const std::size_t above = *signal->multiplexing.switched_by;
    const Signal& selects = message.signals[above];
    const auto raw = Field(selects.layout).raw_of(value_at_start(selects)).first;
    if (!is_output(output.message, above) && !present(raw, signal->multiplexing.values)) {
      return fail(
          "{0}.{1} is never sent: its switch {0}.{2} has a start value (GenSigStartValue) that "
          "does "
          "not select it, expected an output on {0}.{2} too",
          message.name, message.signals[output.signal].name, selects.name);
    }
    signal = &selects;
  }
  return {};
}

std::vector<Outgoing> Setup::outgoing() const {
  std::vector<Outgoing> all;
  for (std::size_t m = 0; m < database_.messages.size(); ++m) {
    if (!is_sent(m)) continue;
    const Message& message = database_.messages[m];
    Outgoing out = sent_[m].sending;
    out.protection = sent_[m].protection;
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (outputs_[o].message == m && outputs_[o].signal == Placed::trigger) out.trigger = o;
    }
    if (out.trigger && out.sending == Sending::each) out.sending = Sending::trigger;
    for (std::size_t s = 0; s < message.signals.size(); ++s) {
      const Signal& signal = message.signals[s];
      if ((bits_of(signal.layout) & out.protection.bits()).any()) continue;
      Outgoing::Part part{Field(signal.layout),
                          presence_of(message, signal),
                          depth_of(message, signal),
                          value_at_start(signal),
                          {}};
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        if (outputs_[o].message == m && outputs_[o].signal == s) part.output = o;
      }
      out.parts.push_back(part);
    }
    all.push_back(std::move(out));
  }
  return all;
}

io::DeviceRemark Setup::remark() const { return {{load_.data(), load_.size()}, overloaded_}; }

// All of the file: the bus is there for others too. Upper bounds, since stuff bits depend on what
// is sent.
void Setup::find_load() {
  if (!rates_) return;
  double share = 0;
  int cyclic = 0;
  for (const Message& message : database_.messages) {
    if (!message.cycle_time || message.length > 64 || (message.j1939 && message.length > 8)) {
      continue;
    }
    const double longest =
        message.fd ? longest_fd_seconds(message.extended, fd_length(message.length), *rates_)
                   : longest_seconds(message.extended, message.length, *rates_);
    share += longest / seconds(*message.cycle_time);
    ++cyclic;
  }
  overloaded_ = share > busy_bus;
  fmt::format_to(fmt::appender(load_),
                 "what has a cycle, {} of {} messages, takes up to {:.1f} % of {:g} kbit/s", cyclic,
                 database_.messages.size(), 100 * share, rates_->nominal / 1000);
  if (overloaded_) {
    fmt::format_to(fmt::appender(load_),
                   "; what is least urgent will wait for long: send less often, or at a higher "
                   "bit rate");
  }
}

const Faults& Setup::faults() const {
  if (faults_) return *faults_;
  Faults& all = faults_.emplace();
  all.add_bus();
  std::size_t sent = 0;
  for (std::size_t m = 0; m < database_.messages.size(); ++m) {
    const std::string_view name = database_.messages[m].name;
    if (is_sent(m)) all.add(name, true, sent++, !sent_[m].protection.none());
    const auto group = std::ranges::find(groups_, m);
    if (group == groups_.end()) continue;
    const auto index = static_cast<std::size_t>(group - groups_.begin());
    all.add(name, false, index, !received_[m].protection.none());
  }
  all.settle();
  return all;
}

}  // namespace hild::can
