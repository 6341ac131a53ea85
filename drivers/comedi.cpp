// SPDX-License-Identifier: Apache-2.0
// The driver `comedi`: cards of the Linux Comedi framework, by libcomedi. One system call a device
// call, with a command one more, and with the first write one for each pulse width.
//   devices: {daq: {driver: comedi, path: /dev/comedi0, calibration: FILE | none,
//                   command: {rate: 1 kHz, convert: 5 us, scans: 64}}}
//   inputs:  {u: {device: daq, subdevice: 0, channel: 0, range: -10 V..10 V, aref: ground,
//                 conversion: 12 us}}
//   outputs: {y: {device: daq, subdevice: 1, channel: 0, range: -10 V..10 V}}
//   either:  {subdevice: 2, channel: 5, digital: true}
//   inputs:  {n: {device: daq, subdevice: 4, channel: 0, counter: true, reset: true, arm: 0}}
//   outputs: {d: {device: daq, subdevice: 5, channel: 0, pwm: 100 us, arm: 0}}
#include <algorithm>
#include <cerrno>
#include <iterator>

#include "drivers/comedi_failure.hpp"
#include "drivers/comedi_program.hpp"
#include "drivers/comedi_scans.hpp"
#include "hild/rt/stopwatch.hpp"

namespace hild::comedi {
namespace {

/// The command of a device, where it has one.
struct Command {
  std::optional<CommandSettings> settings;
  ScanCounts counts{};
  std::array<io::DeviceCounter, 3> counters = counts.all();
  Scans scans{};
};

/// Inputs that are sampled at one instant.
struct Group {
  /// So long after the start of a call, or, where nobody said when, at some time in it.
  std::optional<Duration> conversion_at;
  bool scanned = false;  ///< when the card samples them
  bool operator==(const Group&) const = default;
};

class ComediDevice final : public io::Device {
 public:
  ComediDevice(std::string_view path, CalibrationChoice calibration,
               std::optional<CommandSettings> command)
      : path_(path), choice_(std::move(calibration)) {
    command_.settings = command;
  }

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override;
  Result<void> open(rt::Clock& clock) override;
  std::size_t groups() const override { return groups_.size(); }
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override;
  std::span<const std::uint32_t> counts() const noexcept override { return program_.counts(); }
  std::span<const io::DeviceCounter> counters() const noexcept override;
  std::string_view failure() const override;
  bool has_ticks() const override { return command_.settings.has_value(); }
  bool wakes() const override { return has_ticks(); }
  void await_image(MonoTime from, MonoTime until) noexcept override;
  Duration delivery() const noexcept override { return command_.scans.middle(); }
  void start(MonoTime zero) override;
  void stop() override;
  bool read_back(std::span<double> outputs) override;
  std::filesystem::path calibration() const override { return calibration_; }

 private:
  std::vector<Line>& lines(io::Direction direction) {
    return direction == io::Direction::input ? inputs_ : outputs_;
  }
  [[nodiscard]] Result<void> place_in_command(Line& line) const;
  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> prepare_command();
  [[nodiscard]] Result<void> try_reading();
  [[nodiscard]] bool call(bool outputs, bool inputs) noexcept;
  [[nodiscard]] bool arm_once() noexcept;
  [[nodiscard]] bool read_scans() noexcept;
  bool fail_by(Failure::Of of, int error, std::int64_t count) noexcept;
  [[nodiscard]] bool read_back(const Line& line, double& value);

  const std::filesystem::path path_;
  const CalibrationChoice choice_;
  std::filesystem::path calibration_;
  std::vector<Line> inputs_;
  std::vector<Line> outputs_;
  std::vector<Group> groups_;
  rt::Clock* clock_ = nullptr;
  std::optional<rt::Stopwatch> watch_;
  Card card_;
  Program program_;
  Command command_;
  bool armed_ = false;  // outputs that want to be

  // Latched: a card that was detached and attached again would take writes from an old descriptor,
  // but no longer lock others out.
  Failure failure_;
  mutable fmt::memory_buffer words_;
};

Result<io::Channel> ComediDevice::add(io::Direction direction, io::Options& entry) {
  Line line = read_line(direction, entry);
  const auto clashes = [&](const Line& used) {
    // A digital line has one direction; analog channels of a subdevice have one anyway.
    return used.subdevice == line.subdevice && used.channel == line.channel;
  };
  if (std::any_of(inputs_.begin(), inputs_.end(), clashes) ||
      std::any_of(outputs_.begin(), outputs_.end(), clashes)) {
    return fail("{} is already used by another signal", describe(line).where.view());
  }
  if (auto placed = place_in_command(line); !placed) return tl::make_unexpected(placed.error());
  lines(direction).push_back(line);
  io::Channel channel = describe(line);
  if (direction == io::Direction::output) return channel;
  const Group wanted{line.conversion_at, line.scanned};
  const auto group = std::ranges::find(groups_, wanted);
  channel.group = static_cast<std::size_t>(group - groups_.begin());
  if (group == groups_.end()) groups_.push_back(wanted);
  return channel;
}

/// A command has the analog inputs of one subdevice, at times of its own.
Result<void> ComediDevice::place_in_command(Line& line) const {
  line.scanned = command_.settings && line.direction == io::Direction::input && line.analog();
  if (!line.scanned) return {};
  if (line.conversion_at) {
    return fail(
        "{}: found `conversion`, but the card samples it by its own clock; leave `conversion` out, "
        "or `command` of the device",
        describe(line).where.view());
  }
  const auto other = std::ranges::find_if(
      inputs_, [&](const Line& used) { return used.scanned && used.subdevice != line.subdevice; });
  if (other == inputs_.end()) return {};
  return fail(
      "{}: the command of the device is on subdevice {}, expected all its analog inputs there; "
      "others can be of a second device of the same path",
      describe(line).where.view(), other->subdevice);
}

Result<void> ComediDevice::open(rt::Clock& clock) {
  clock_ = &clock;
  watch_.emplace(clock);
  auto card = open_card(path_);
  if (!card) return tl::make_unexpected(card.error());
  if (clock.virtual_time()) {
    return fail(
        "{}: an offline run would drive this card as fast as the machine goes; use "
        "driver: sim",
        path_.c_str());
  }
  card_ = std::move(*card);
  auto prepared = prepare();
  if (!prepared) {
    card_.reset();
    return fail(prepared.error().code, "{}: {}", path_.c_str(), prepared.error().message);
  }
  return {};
}

Result<void> ComediDevice::prepare() {
  calibration_ = calibration_file(card_.get(), choice_);
  const auto calibration = load_calibration(card_.get(), calibration_);
  if (!calibration) return tl::make_unexpected(calibration.error());
  for (const auto direction : {io::Direction::output, io::Direction::input}) {
    for (Line& line : lines(direction)) {
      if (auto found = resolve(card_.get(), calibration->get(), choice_, line); !found) {
        return found;
      }
    }
  }
  std::vector<Line> all(outputs_);
  all.insert(all.end(), inputs_.begin(), inputs_.end());
  if (auto locked = lock(card_.get(), all); !locked) return locked;
  if (auto set = set_directions(card_.get(), all); !set) return set;
  if (auto set = set_up(card_.get(), all); !set) return set;
  if (auto prepared = prepare_command(); !prepared) return prepared;
  program_ = Program(outputs_, inputs_);
  return try_reading();
}

Result<void> ComediDevice::prepare_command() {
  if (!command_.settings) return {};
  std::vector<Line> scanned;
  std::ranges::copy_if(inputs_, std::back_inserter(scanned), &Line::scanned);
  auto scans = Scans::prepare(card_.get(), *command_.settings, scanned);
  if (!scans) return tl::make_unexpected(scans.error());
  command_.scans = std::move(*scans);
  return {};
}

/// A channel that cannot be read, one locked by another program say, must show before the run.
Result<void> ComediDevice::try_reading() {
  if (inputs_.empty()) return {};
  if (call(false, true)) {
    std::vector<double> first(inputs_.size());
    program_.get(first);  // counters count from there
    return {};
  }
  auto failed = fail(ExitCode::device_failed, "cannot read its inputs: {}", failure());
  failure_ = {};
  words_.clear();
  return failed;
}

// Its inputs are read once more, so that there is an image until the first scan.
void ComediDevice::start(MonoTime /*zero*/) {
  if (failure_ || !card_ || !command_.settings || command_.scans.started()) return;
  const MonoTime image = clock_->now();
  if (!call(false, true)) return;
  const int error = command_.scans.start(card_.get(), *clock_, image);
  if (error != 0) fail_by(Failure::Of::start, error, 0);
}

void ComediDevice::stop() {
  if (card_) command_.scans.stop(card_.get());
}

bool ComediDevice::fail_by(Failure::Of of, int error, std::int64_t count) noexcept {
  if (!failure_) failure_ = {of, error, count};
  return false;
}

[[gnu::always_inline]] inline bool ComediDevice::call(bool outputs, bool inputs) noexcept {
  comedi_insnlist list = program_.list(outputs, inputs, command_.scans.started());
  if (list.n_insns == 0) return true;
  // comedi_do_insnlist is one ioctl; it neither allocates nor prints at log level 0.
  const int done = comedi_do_insnlist(card_.get(), &list);
  if (done == static_cast<int>(list.n_insns)) return true;
  return fail_by(Failure::Of::instructions, done < 0 ? errno : 0, done);
}

// Pulses begin when their width is that of the run: whoever looks alone moves nothing.
bool ComediDevice::arm_once() noexcept {
  if (armed_) return true;
  armed_ = arm_outputs(card_.get(), outputs_);
  return armed_ || fail_by(Failure::Of::instructions, errno, 0);
}

// Precondition: the command was started.
bool ComediDevice::read_scans() noexcept {
  const std::int64_t scans = command_.counts.scans.get();
  switch (command_.scans.read(*clock_, command_.counts)) {
    case Scans::Read::image:
      program_.put_scan(command_.scans.samples());
      return true;
    case Scans::Read::nothing:
      return true;
    case Scans::Read::ended:
      return fail_by(Failure::Of::ended, 0, scans);
    case Scans::Read::overflow:
      return fail_by(Failure::Of::overflow, EPIPE, scans);
    case Scans::Read::stopped:
      return fail_by(Failure::Of::stopped, EPIPE, scans);
    case Scans::Read::failed:
      return fail_by(Failure::Of::reading, errno, scans);
  }
  return false;
}

// A card may wake whoever waits in the middle of a scan.
void ComediDevice::await_image(MonoTime from, MonoTime until) noexcept {
  if (failure_ || !command_.scans.started()) return;
  while (read_scans() && command_.scans.complete() < from && clock_->now() < until) {
    command_.scans.wait(*clock_, until);
  }
}

bool ComediDevice::exchange(std::span<const double> outputs, std::span<double> inputs,
                            std::span<MonoTime> sampled) noexcept {
  if (!card_ || (failure_ && !(failure_.leaves_outputs() && inputs.empty()))) return false;
  program_.put(outputs);
  const rt::Stopwatch::Mark began = watch_->mark();
  if (!call(!outputs.empty(), !inputs.empty()) || (!outputs.empty() && !arm_once())) return false;
  if (inputs.empty()) return true;
  const Duration half{watch_->since(began).ns >> 1};
  const bool scans = command_.scans.started();
  if (scans && !read_scans()) return false;
  program_.get(inputs);
  for (std::size_t g = 0; g < sampled.size(); ++g) {
    const Group& group = groups_[g];
    if (scans && group.scanned) {
      sampled[g] = command_.scans.sampled();
    } else {
      sampled[g] += group.conversion_at.value_or(half);
    }
  }
  return true;
}

std::span<const io::DeviceCounter> ComediDevice::counters() const noexcept {
  if (!command_.settings) return {};
  return command_.counters;
}

std::string_view ComediDevice::failure() const {
  if (failure_ && words_.size() == 0) put_into_words(failure_, path_, words_);
  return {words_.data(), words_.size()};
}

bool ComediDevice::read_back(std::span<double> outputs) {
  if (failure_ || !card_) return false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!read_back(outputs_[i], outputs[i])) return false;
  }
  return true;
}

bool ComediDevice::read_back(const Line& line, double& value) {
  if (line.digital) {
    unsigned bit = 0;
    if (comedi_dio_read(card_.get(), line.subdevice, line.channel, &bit) < 0) return false;
    value = bit;
    return true;
  }
  // By the card's plain scale: a calibration of outputs has no way back.
  lsampl_t raw = 0;
  if (line.pwm_period) {
    if (comedi_data_read(card_.get(), line.subdevice, line.channel, 0, 0, &raw) < 0) return false;
    value = static_cast<double>(raw) / line.maxdata;
    return true;
  }
  comedi_polynomial_t to_volts{};
  if (comedi_data_read(card_.get(), line.subdevice, line.channel, line.range_index, line.aref,
                       &raw) < 0 ||
      comedi_get_hardcal_converter(card_.get(), line.subdevice, line.channel, line.range_index,
                                   COMEDI_TO_PHYSICAL, &to_volts) < 0) {
    return false;
  }
  value = evaluate(to_volts, static_cast<double>(raw));
  return true;
}

CalibrationChoice read_calibration(io::Options& options) {
  if (!options.has("calibration")) return {};
  if (options.text("calibration") == "none") return {.file = {}, .none = true};
  return {.file = options.path("calibration"), .none = false};
}

std::unique_ptr<io::Device> make_comedi(std::string_view, io::Options& options) {
  const auto path = options.text("path", "/dev/comedi0");
  return std::make_unique<ComediDevice>(path, read_calibration(options), read_command(options));
}

HILD_DRIVER(comedi, "converter cards of the Linux Comedi framework", make_comedi);

}  // namespace
}  // namespace hild::comedi
