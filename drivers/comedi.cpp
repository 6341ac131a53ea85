// SPDX-License-Identifier: Apache-2.0
// The driver `comedi`: cards of the Linux Comedi framework, by libcomedi. One system call a device
// call.
//   devices: {daq: {driver: comedi, path: /dev/comedi0, calibration: FILE | none}}
//   inputs:  {u: {device: daq, subdevice: 0, channel: 0, range: -10 V..10 V, aref: ground,
//                 conversion: 12 us}}
//   outputs: {y: {device: daq, subdevice: 1, channel: 0, range: -10 V..10 V}}
//   either:  {subdevice: 2, channel: 5, digital: true}
#include <algorithm>
#include <cerrno>

#include "drivers/comedi_program.hpp"
#include "hild/rt/stopwatch.hpp"

namespace hild::comedi {
namespace {

class ComediDevice final : public io::Device {
 public:
  ComediDevice(std::string_view path, CalibrationChoice calibration)
      : path_(path), choice_(std::move(calibration)) {}

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override;
  Result<void> open(rt::Clock& clock) override;
  std::size_t groups() const override { return groups_.size(); }
  bool exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override;
  std::span<const std::uint32_t> counts() const noexcept override { return counts_; }
  std::string_view failure() const override;
  bool read_back(std::span<double> outputs) override;
  std::filesystem::path calibration() const override { return calibration_; }

 private:
  std::vector<Line>& lines(io::Direction direction) {
    return direction == io::Direction::input ? inputs_ : outputs_;
  }
  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> try_reading();
  [[nodiscard]] bool call(bool outputs, bool inputs) noexcept;
  [[nodiscard]] bool read_back(const Line& line, double& value);

  const std::filesystem::path path_;
  const CalibrationChoice choice_;
  std::filesystem::path calibration_;
  std::vector<Line> inputs_;
  std::vector<Line> outputs_;
  // Image groups of the inputs: lines whose samples are taken so long after the start of a call,
  // or, where nobody said when, at some time in it.
  std::vector<std::optional<Duration>> groups_;
  std::optional<rt::Stopwatch> watch_;
  Card card_;
  Program program_;
  std::vector<std::uint32_t> counts_;

  // The failure, latched: a card that was detached and attached again would take writes from an old
  // descriptor, but no longer lock others out.
  bool failed_ = false;
  int error_ = 0;        ///< errno; 0: a short count
  int carried_out_ = 0;  ///< instructions, then
  mutable fmt::memory_buffer words_;
};

Result<io::Channel> ComediDevice::add(io::Direction direction, io::Options& entry) {
  const Line line = read_line(direction, entry);
  const auto clashes = [&](const Line& used) {
    // A digital line has one direction; analog channels of a subdevice have one anyway.
    return used.subdevice == line.subdevice && used.channel == line.channel;
  };
  if (std::any_of(inputs_.begin(), inputs_.end(), clashes) ||
      std::any_of(outputs_.begin(), outputs_.end(), clashes)) {
    return fail("{} is already used by another signal", describe(line).where.view());
  }
  lines(direction).push_back(line);
  io::Channel channel = describe(line);
  if (direction == io::Direction::output) return channel;
  const auto group = std::ranges::find(groups_, line.conversion_at);
  channel.group = static_cast<std::size_t>(group - groups_.begin());
  if (group == groups_.end()) groups_.push_back(line.conversion_at);
  return channel;
}

Result<void> ComediDevice::open(rt::Clock& clock) {
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
  if (auto locked = lock_outputs(card_.get(), outputs_); !locked) return locked;
  std::vector<Line> all(inputs_);
  all.insert(all.end(), outputs_.begin(), outputs_.end());
  if (auto set = set_directions(card_.get(), all); !set) return set;
  program_ = Program(outputs_, inputs_);
  counts_.resize(inputs_.size());
  return try_reading();
}

/// A channel that cannot be read, one locked by another program say, must show before the run.
Result<void> ComediDevice::try_reading() {
  if (inputs_.empty() || call(false, true)) return {};
  auto failed = fail(ExitCode::device_failed, "cannot read its inputs: {}", failure());
  failed_ = false;
  words_.clear();
  return failed;
}

bool ComediDevice::call(bool outputs, bool inputs) noexcept {
  comedi_insnlist list = program_.list(outputs, inputs);
  if (list.n_insns == 0) return true;
  // comedi_do_insnlist is one ioctl; it neither allocates nor prints at log level 0.
  const int done = comedi_do_insnlist(card_.get(), &list);
  if (done == static_cast<int>(list.n_insns)) return true;
  error_ = done < 0 ? errno : 0;
  carried_out_ = done;
  failed_ = true;
  return false;
}

bool ComediDevice::exchange(std::span<const double> outputs, std::span<double> inputs,
                            std::span<MonoTime> sampled) noexcept {
  if (failed_ || !card_) return false;
  program_.put(outputs);
  const MonoTime began = watch_->now();
  if (!call(!outputs.empty(), !inputs.empty())) return false;
  if (inputs.empty()) return true;
  const Duration took = watch_->now() - began;
  program_.get(inputs, counts_);
  for (std::size_t g = 0; g < sampled.size(); ++g) sampled[g] += groups_[g].value_or(took / 2);
  return true;
}

std::string_view ComediDevice::failure() const {
  if (!failed_) return {};
  if (words_.size() == 0) {
    if (error_ != 0) {
      fmt::format_to(fmt::appender(words_), "{}: device call failed: {}; {}", path_.c_str(),
                     comedi_strerror(error_), remedy(error_));
    } else {
      fmt::format_to(fmt::appender(words_),
                     "{}: only {} instructions of a device call were carried out; {}",
                     path_.c_str(), carried_out_, remedy(EIO));
    }
  }
  return {words_.data(), words_.size()};
}

bool ComediDevice::read_back(std::span<double> outputs) {
  if (failed_ || !card_) return false;
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
  return std::make_unique<ComediDevice>(path, read_calibration(options));
}

HILD_DRIVER(comedi, "converter cards of the Linux Comedi framework", make_comedi);

}  // namespace
}  // namespace hild::comedi
