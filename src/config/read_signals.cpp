// SPDX-License-Identifier: Apache-2.0
/// Devices, and the signals on their channels.
#include <algorithm>
#include <optional>

#include "config/in_place.hpp"
#include "config/sections.hpp"
#include "foreign/plugin/load_driver.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

/// `max_latency: 3 cycles`: of the images that the device knows to come in cycles.
std::optional<double> read_cycles(YamlOptions& section) {
  if (!section.has("max_latency")) return {};
  const auto given = split_quantity(section.text("max_latency"));
  if (!given || (given->unit != "cycles" && given->unit != "cycle")) return {};
  if (!(given->number >= 1)) section.mismatch("max_latency", "one cycle at least");
  return given->number;
}

/// A rule of loss as it is written: its `max_latency` may be so many cycles of an image, whose
/// length only the channel tells. 0: it is a time.
struct WrittenLoss {
  io::LossRule rule;
  double cycles = 0;
};

/// The rule for that channel.
io::LossRule rule_of(YamlOptions& entry, WrittenLoss loss, const io::Channel& channel) {
  if (loss.cycles == 0) return loss.rule;
  const char* const key = entry.has("max_latency") ? "max_latency" : "device";
  if (channel.cycle.ns == 0) {
    entry.reject(key, fmt::format("found `max_latency` of {:g} cycles, and nobody knows at which "
                                  "cycle {} comes; expected a time, such as 50 ms",
                                  loss.cycles, channel.where.view()));
  }
  const double longest = loss.cycles * seconds(channel.cycle);
  if (!(longest <= 3600)) {
    entry.reject(key, fmt::format("found `max_latency` of {:g} cycles of {:g} s, expected an hour "
                                  "at most",
                                  loss.cycles, seconds(channel.cycle)));
  }
  loss.rule.max_latency = from_seconds(longest);
  return loss.rule;
}

WrittenLoss loss_of(const io::Member& device) { return {device.loss, device.loss_cycles}; }

/// Reads `max_latency` and `on_loss`; `loss` has the values of absent keys.
WrittenLoss read_loss(YamlOptions& section, WrittenLoss loss) {
  if (const auto cycles = read_cycles(section)) {
    loss.cycles = *cycles;
  } else if (section.has("max_latency")) {
    loss.rule.max_latency = section.duration("max_latency");
    loss.cycles = 0;
  }
  if (!section.has("on_loss")) return loss;
  loss.rule.then = static_cast<io::OnLoss>(
      section.choice("on_loss", {"safe-stop", "hold", "carry-on", "substitute", "disarm"}));
  if (loss.rule.max_latency.ns == 0 && loss.cycles == 0) {
    section.reject(
        "on_loss",
        "found what follows a loss, expected `max_latency` beside it: the age from which "
        "on an input counts as lost");
  }
  return loss;
}

const io::Driver& find_driver(YamlOptions& section, const char* key) {
  if (section.is_map(key)) {
    YamlOptions& driver = section.section(key);
    return *driver.accept("plugin", plugin::load_driver(driver.path("plugin")));
  }
  const std::string_view name = section.text(key);
  if (const auto* driver = io::find_driver(name)) return *driver;
  if (name.ends_with(".so")) {
    section.mismatch(key, fmt::format("{{plugin: {}}} for a driver of one's own", name));
  }
  std::vector<std::string_view> known;
  for (const auto* driver : io::drivers()) known.push_back(driver->name);
  section.no_such(key, "a driver", known);
}

std::unique_ptr<io::Device> make_device(YamlOptions& section, const io::Driver& driver,
                                        const std::string& name) {
  auto device = section.strictly([&] { return driver.make(name, section); });
  if (!device) section.reject_all(fmt::format("the driver {} made no device", driver.name));
  return device;
}

void read_member(YamlOptions& section, const std::string& name, Config& config) {
  if (name.size() > Name::capacity) {
    section.reject_all(
        fmt::format("found a name of {} bytes, expected at most {}", name.size(), Name::capacity));
  }
  const io::Driver& driver = find_driver(section, "driver");
  std::unique_ptr<io::Device> device = make_device(section, driver, name);
  std::unique_ptr<io::Device> original;
  if (section.has(in_place_key)) {
    if (section.is_map("driver") || section.text("driver") != "sim") {
      section.reject(in_place_key, "found a driver whose place another one takes than sim");
    }
    original = make_device(section, find_driver(section, in_place_key), name);
  }
  const WrittenLoss loss = read_loss(section, {});
  config.devices.push_back(
      {std::string_view(name), std::move(device), loss.rule, loss.cycles, driver.name});
  config.in_place_of.push_back(std::move(original));
}

int read_device(YamlOptions& entry, const std::vector<io::Member>& devices) {
  const std::string_view name = entry.text("device");
  const auto it = std::find_if(devices.begin(), devices.end(),
                               [&](const io::Member& member) { return member.name == name; });
  if (it != devices.end()) return static_cast<int>(it - devices.begin());
  if (entry.broken("devices") || entry.broken(fmt::format("devices.{}", name))) entry.follow();
  std::vector<std::string_view> known;
  known.reserve(devices.size());
  for (const io::Member& member : devices) known.push_back(member.name.view());
  entry.no_such("device", "a device of the section devices", known);
}

/// "rad/s/V"
std::string per(std::string_view unit, std::string_view of) {
  if (of == "1") return std::string(unit);
  const bool simple = of.find_first_of(" /") == of.npos;
  return simple ? fmt::format("{}/{}", unit, of) : fmt::format("{}/({})", unit, of);
}

/// How values of a channel become those of a signal where nothing is written: not at all from the
/// volts of a converter, which may stand for anything, but for a signal in volts; and as the units
/// have it where a channel carries numbers that have one.
std::optional<UnitConversion> usual_scale(const io::Channel& channel, std::string_view unit) {
  const auto units = unit_conversion(channel.value_unit(), unit);
  if (!units) return {};
  const bool converter = channel.digital || channel.unit == "V";
  if (converter && (units->factor != 1 || units->offset != 0)) return {};
  return *units;
}

/// Scale and offset between the signal and its channel.
template <class Signal>
void read_scale(YamlOptions& entry, std::string_view unit, Signal& signal) {
  const std::string scale_unit = per(unit, signal.channel.value_unit());
  const auto usual = usual_scale(signal.channel, unit);
  const bool written = entry.has("scale");
  signal.scale =
      entry.number("scale", scale_unit, usual ? std::optional(usual->factor) : std::nullopt);
  if (signal.scale == 0) entry.mismatch("scale", "anything but 0");
  signal.offset = entry.number("offset", unit, usual && !written ? usual->offset : 0.0);
}

/// Which channel of which device: the driver reads its keys of the entry. Slots are counted among
/// the signals read so far.
template <class Signal>
void read_channel(YamlOptions& entry, io::Direction direction, const Config& config,
                  const std::vector<Signal>& before, Signal& signal) {
  const int number = read_device(entry, config.devices);
  signal.slot = static_cast<std::size_t>(std::count_if(
      before.begin(), before.end(), [&](const Signal& other) { return other.device == number; }));
  io::Device& device = *config.devices[static_cast<std::size_t>(number)].device;
  io::Device* const original = config.in_place_of[static_cast<std::size_t>(number)].get();
  const auto channel = entry.strictly([&] {
    return original == nullptr ? device.add(direction, entry)
                               : add_in_place(*original, device, direction, entry, signal.slot);
  });
  if (!channel) entry.reject_all(channel.error().message, channel.error().code);
  signal.channel = *channel;
  signal.device = number;
}

/// The signals that a model declares, in its order; `read` reads the entry of one into it.
template <class Signal, class Declared, class Read>
void read_all(YamlOptions& section, std::string_view owner, const Declared& declared,
              std::vector<Signal>& signals, Read read) {
  section.names_only(owner, names_of(declared));
  for (const auto& one : declared) {
    Signal signal;
    signal.name = one.name;
    if constexpr (requires { signal.start; }) signal.start = one.start;
    section.attempt(one.name, [&] {
      YamlOptions* const entry = section.child(one.name);
      if (entry == nullptr) return;
      if (one.name.size() > Name::capacity) {
        entry->reject_all(fmt::format("expected a name of at most {} bytes", Name::capacity));
      }
      read(*entry, one, signal);
    });
    signals.push_back(signal);
  }
}

/// As its device has it, where it says nothing itself.
void read_loss_of(YamlOptions& entry, const std::vector<io::Member>& devices, std::string_view unit,
                  io::InputSignal& signal) {
  const io::Member& device = devices[static_cast<std::size_t>(signal.device)];
  signal.loss = rule_of(entry, read_loss(entry, loss_of(device)), signal.channel);
  const bool wanted = signal.loss.then == io::OnLoss::substitute;
  if (wanted) {
    signal.loss.substitute = entry.number("substitute", unit);
  } else if (entry.has("substitute")) {
    entry.reject("substitute",
                 "found a value to stand in, expected `on_loss: substitute` beside it, or none");
  }
}

void read_input(YamlOptions& entry, const model::Input& input, const Config& config,
                io::InputSignal& signal) {
  entry.one_of({"value", "device"});
  if (!entry.has("value")) {
    read_channel(entry, io::Direction::input, config, config.inputs, signal);
    read_scale(entry, input.unit, signal);
    read_loss_of(entry, config.devices, input.unit, signal);
    if (entry.has("restart_above")) {
      signal.restart_above = entry.number("restart_above", input.unit);
      if (signal.restart_above <= 0) entry.mismatch("restart_above", "a number above 0");
    }
    return;
  }
  if (entry.has("device")) entry.reject("value", "found value and device, expected one of them");
  signal.start = entry.number("value", input.unit);
}

/// What hardware may be given is never guessed: the safe value must be written.
void read_safe(YamlOptions& entry, io::OutputSignal& signal) {
  const bool digital = signal.channel.digital;
  signal.action.hold = entry.has("safe") && entry.text("safe") == "hold";
  if (signal.action.hold) {
    signal.safe = std::clamp(0.0, signal.limits.low, signal.limits.high);  // until it is known
  } else {
    signal.safe = entry.number("safe", signal.channel.value_unit(), {}, signal.limits);
    if (digital && signal.safe != 0 && signal.safe != 1) entry.mismatch("safe", "0 or 1");
  }
  if (!entry.has("safe_ramp")) return;
  if (digital || signal.action.hold) {
    entry.reject("safe_ramp", digital ? "found a ramp of a digital line, which can only switch"
                                      : "found a ramp beside `safe: hold`, expected one of them");
  }
  signal.action.ramp = entry.duration("safe_ramp");
}

void read_signal_limits(YamlOptions& entry, const Grid& grid, io::OutputSignal& signal) {
  const std::string_view unit = signal.channel.value_unit();
  const io::Interval range = signal.channel.range;
  signal.limits = entry.interval("limits", unit, range);
  if (signal.limits.low < range.low || signal.limits.high > range.high) {
    entry.mismatch("limits", fmt::format("an interval within the channel's {}..{} {}", range.low,
                                         range.high, unit));
  }
  read_safe(entry, signal);
  if (signal.channel.digital) return;  // it switches
  if (!entry.has("slew")) return;
  signal.slew = entry.number("slew", fmt::format("{}/s", unit));
  if (!(signal.slew > 0)) entry.mismatch("slew", fmt::format("more than 0 {}/s", unit));
  signal.most_step = signal.slew * 2 * seconds(grid.period());  // doubled steps come that far apart
}

}  // namespace

void read_devices(YamlOptions& root, Config& config) {
  YamlOptions& devices = root.map("devices");
  for (const std::string& name : devices.keys()) {
    devices.attempt(name, [&] { read_member(devices.section(name), name, config); });
  }
}

void read_line(YamlOptions& entry, const Config& config, const std::vector<io::InputSignal>& inputs,
               io::InputSignal& signal) {
  read_channel(entry, io::Direction::input, config, inputs, signal);
  // What is to protect does not, once it is lost.
  const io::Member& device = config.devices[static_cast<std::size_t>(signal.device)];
  signal.loss.max_latency = rule_of(entry, loss_of(device), signal.channel).max_latency;
}

void read_inputs(YamlOptions& root, Config& config) {
  const model::Description& model = config.model.description;
  read_all(root.map("inputs"), fmt::format("an input of {}", model.name), model.inputs,
           config.inputs,
           [&](YamlOptions& entry, const model::Input& input, io::InputSignal& signal) {
             read_input(entry, input, config, signal);
           });
}

void read_outputs(YamlOptions& root, Config& config) {
  const model::Description& model = config.model.description;
  read_all(root.map("outputs"), fmt::format("an output of {}", model.name), model.outputs,
           config.outputs,
           [&](YamlOptions& entry, const model::Output& output, io::OutputSignal& signal) {
             read_channel(entry, io::Direction::output, config, config.outputs, signal);
             read_scale(entry, output.unit, signal);
             read_signal_limits(entry, config.settings.grid, signal);
           });
}

}  // namespace hild::config
