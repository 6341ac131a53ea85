// SPDX-License-Identifier: Apache-2.0
/// \file
/// A converter device: what one driver file implements. The loading half declares channels and
/// opens the hardware; the real-time half is one noexcept call that writes what is due and reads
/// what is new. Values are converter values: volts on analog lines, 0 or 1 on digital ones, and
/// where numbers travel what they stand for, in the unit of the channel.
///
/// Life of a device: made by its factory, add() for every signal of the configuration, open(),
/// start(), any number of exchange(), stop(), its destructor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/io/device_fault.hpp"
#include "hild/io/listener.hpp"
#include "hild/io/nodes.hpp"
#include "hild/io/options.hpp"
#include "hild/io/signal.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/clock.hpp"

namespace hild::io {

/// What the rest of hild must know of a channel. The index of a channel in exchange() is the order
/// in which it was added.
struct Channel {
  Interval range;         ///< converter values the line can carry
  bool digital = false;   ///< 0 or 1; held, never interpolated
  bool held = false;      ///< never interpolated, as a digital one: a gear, a state
  double resolution = 0;  ///< one step of the converter, 0 when there is none
  bool counted = false;   ///< an input whose raw counts are among Device::counts()
  std::size_t group = 0;  ///< of an input: which image group of the device it comes with
  Duration cycle{};       ///< of an input: at which its images are to come; 0: nobody knows
  Name where;             ///< "subdevice 0 channel 3", for messages
  Name unit{"V"};         ///< of its values, where it is not digital; one that hild knows

  /// The unit of its values: none for a digital line.
  [[nodiscard]] std::string_view value_unit() const noexcept { return digital ? "1" : unit.view(); }
};

/// Which way a channel goes, seen from the model.
enum class Direction {
  input,  ///< read by exchange()
  output  ///< written by exchange()
};

/// What a device counts of its own, packets that were lost say.
struct DeviceCounter {
  std::string_view name;     ///< a word for JSON and metrics: "wrong_length"
  std::string_view help;     ///< what is counted, a sentence
  const rt::Counter* value;  ///< goes up only; lives as long as the device
  bool alarming = false;     ///< all is well while it is 0
};

/// A channel as other nodes of a system know it: a value that one of them sends by a name.
struct Link {
  int domain = 0;             ///< nodes of others do not hear of it
  std::string_view system{};  ///< nor do those of others
  std::string_view node{};    ///< that sends it
  std::string_view signal{};  ///< its name there
  std::string_view here{};    ///< the node that has the channel
  Duration min_age{};         ///< of an input: a sample is used once it is so old
};

/// What a person is to know of a device before a run; the words follow its name, and live as long
/// as it does.
struct DeviceRemark {
  std::string_view words{};  ///< a part of a sentence; empty: nothing is to be known
  bool warning = false;      ///< something is likely to go wrong
};

/// What a driver makes for each device of the configuration. All calls but exchange() and counts()
/// may allocate and block. One thread at a time.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// Declares a channel from its configuration entry (driver keys only: scale, offset, safe and
  /// limits are not the driver's). Refuses what another signal uses already.
  [[nodiscard]] virtual Result<Channel> add(Direction direction, Options& entry) = 0;

  /// Opens and checks the hardware. `clock` is the run's; it outlives the device. Changes no
  /// output. Error with ExitCode::device_failed when the device is not there or not permitted.
  [[nodiscard]] virtual Result<void> open(rt::Clock& clock) = 0;

  /// How many image groups its inputs are made of, once all channels are added. A group is what is
  /// made at one instant: a scan, a message, a packet. Between two exchanges some may be new and
  /// others not.
  [[nodiscard]] virtual std::size_t groups() const { return 1; }

  /// One device call. Writes `outputs` (all of them in order, or none when empty), then reads into
  /// `inputs` (all of them in order, or none when empty) the newest image of each group. `sampled`
  /// has an instant for each group where there are inputs, and comes in as the present time: a
  /// device whose images were made at other instants says so there. Outputs are within the
  /// channel's range and finite: the caller has clamped. Returns false once the device has failed;
  /// the failure is latched, later calls touch nothing and return false. Where it is the reading
  /// alone that has failed, a call without inputs may still write, so that outputs become safe.
  /// Real-time safe.
  [[nodiscard]] virtual bool exchange(std::span<const double> outputs, std::span<double> inputs,
                                      std::span<MonoTime> sampled) noexcept = 0;

  /// Lets go at once of what exchange() wrote last, also of what would wait for its time (a cycle):
  /// outputs are being made safe. False where it has not left, and it is to be asked again a little
  /// later. Real-time safe.
  [[nodiscard]] virtual bool flush() noexcept { return true; }

  /// How long, once outputs are safe, their values are to go on being written, a thousand times a
  /// second, by the guard too: for receivers that take silence for a failure.
  [[nodiscard]] virtual Duration safe_for() const noexcept { return {}; }

  /// What the converter gave for the inputs that exchange() read last, before calibration and
  /// scale, in the order of add(); what stands there for a channel that is not `counted` means
  /// nothing. Once the device is open, always the same memory. Real-time safe.
  [[nodiscard]] virtual std::span<const std::uint32_t> counts() const noexcept { return {}; }

  /// What it counts of its own, which reports, status and metrics tell; always the same memory.
  /// From any thread; the counters are written by the one that exchanges.
  [[nodiscard]] virtual std::span<const DeviceCounter> counters() const noexcept { return {}; }

  /// What can be made wrong with it, once all channels are added; always the same memory.
  [[nodiscard]] virtual std::span<const DeviceFault> faults() const { return {}; }
  /// From the next exchange() on fault `fault` of faults() is there, with a value that is allowed,
  /// or is not. What it does is done by the device itself, in bounded time. flush() takes no notice
  /// of faults: what is to be safe is sent. The thread that exchanges; real-time safe.
  virtual void set_fault(std::size_t /*fault*/, bool /*there*/, double /*value*/) noexcept {}

  /// Words for the failure exchange() latched. Called from any thread after the loop has ended.
  [[nodiscard]] virtual std::string_view failure() const = 0;

  /// The values the outputs hold now, for `hild io` and tests. False when it cannot be told.
  [[nodiscard]] virtual bool read_back(std::span<double> outputs) = 0;

  /// Before open(): lets go of all that is outside this process, so that an offline analysis may
  /// write outputs too. False for hardware, which cannot.
  [[nodiscard]] virtual bool detach() { return false; }

  /// Before open(): its outputs will be read back, but not written, so that it can be looked at
  /// while a run drives it. False for what only one program may have open.
  [[nodiscard]] virtual bool observe() { return false; }

  /// Whether its outputs reach anything outside the machine: what does must be armed by a person.
  [[nodiscard]] virtual bool hardware() const { return true; }

  /// Whether its images are made when something outside makes them, at a pace of its own, and not
  /// because exchange() asks: then frames may follow them.
  [[nodiscard]] virtual bool has_ticks() const { return false; }

  /// Whether await_image() waits for its images, once all channels are added: then frames may begin
  /// with their arrival.
  [[nodiscard]] virtual bool wakes() const { return false; }
  /// Returns as soon as the next exchange() has an image that arrived at `from` or later (one that
  /// came before is of an earlier tick), and at `until` at the latest; also when the device has
  /// failed, which exchange() then says. The thread that exchanges; real-time safe but for its
  /// waiting.
  virtual void await_image(MonoTime /*from*/, MonoTime /*until*/) noexcept {}
  /// Of a device that wakes, once it is open: how long after they are made its images arrive, as
  /// far as that is known and always the same. Real-time safe.
  [[nodiscard]] virtual Duration delivery() const noexcept { return {}; }

  /// Why the guard cannot take its outputs to safety when the run is dead; empty where it can, as
  /// should be. The guard is a copy of the process that is forked after open() and before start():
  /// it has the open files of the device and its memory as they are then, and none of its threads,
  /// and calls exchange() without inputs. So open() starts no thread, and what outputs need beyond
  /// the descriptors (a counter that receivers check) is in memory that both share
  /// (rt::SharedMemory). A driver that cannot do so, since its library has threads say, returns the
  /// reason, in words that follow "device daq: ": it is then opened behind the fork, and a person
  /// is told of it before the run and at arming.
  [[nodiscard]] virtual std::string_view unguardable() const { return {}; }

  /// What `hild check` tells of it, once all channels are added; empty: nothing.
  [[nodiscard]] virtual DeviceRemark remark() const { return {}; }

  /// Instead of open(), once all channels are added: listens to all that comes, on the time of
  /// `clock`, which outlives it, as the device does. nullptr where there is no more to hear than
  /// exchange() reads.
  [[nodiscard]] virtual Result<std::unique_ptr<Listener>> listener(rt::Clock& /*clock*/) {
    return nullptr;
  }

  /// What channel `index` (in the order of add(), of its direction) is among the nodes of a system,
  /// once all channels are added; the words live as long as the device. None: it goes to no node.
  [[nodiscard]] virtual std::optional<Link> link(Direction /*direction*/,
                                                 std::size_t /*index*/) const {
    return {};
  }

  /// The other nodes of the system, where it connects this one with them; lives as long as the
  /// device. nullptr: it connects none.
  [[nodiscard]] virtual Nodes* nodes() { return nullptr; }

  /// The file its converters were calibrated by, once it is open; empty where there is none, and
  /// values are of the converters' nominal scale.
  [[nodiscard]] virtual std::filesystem::path calibration() const { return {}; }

  /// What arrives at input `index` (in the order of add()) where that depends on time alone and is
  /// known without the hardware; nullptr otherwise. Lives as long as the device. While loading.
  [[nodiscard]] virtual const Signal* signal(std::size_t /*index*/) const { return nullptr; }

  /// Starts what lives beside the loop (converter threads, controllers); stop() ends it. `zero` is
  /// when simulated time is 0, the first tick of the run: what goes by simulated time counts from
  /// there, and a little before it is negative.
  virtual void start(MonoTime /*zero*/) {}
  /// Returns when that has ended. Always called before the destructor: also where start() was not,
  /// and perhaps more than once; it then does nothing.
  virtual void stop() {}
};

/// A driver registers itself by one line in its file: `HILD_DRIVER(sim, "what it is", make_sim)`.
struct Driver {
  std::string_view name;     ///< what `driver:` of a device says
  std::string_view summary;  ///< one line for lists of drivers
  /// Makes the device `device_name` from its part of the configuration; what is kept of either is
  /// copied. What is wrong is told by Options::reject(); nullptr ends loading too, with no reason.
  std::unique_ptr<Device> (*make)(std::string_view device_name, Options& options);
};

/// All registered drivers, by name. Valid until another one registers.
[[nodiscard]] std::span<const Driver* const> drivers();
/// The driver of that name; nullptr when there is none.
[[nodiscard]] const Driver* find_driver(std::string_view name);
/// Adds a driver, which lives as long as the program; returns true. HILD_DRIVER calls it before
/// main(). One thread at a time.
bool register_driver(const Driver& driver);

/// Registers a driver: `NAME`, a word without quotes, is what the configuration calls it; `SUMMARY`
/// and `MAKE` are as in Driver. In the driver's source file, outside of functions, with a
/// semicolon behind it.
#define HILD_DRIVER(NAME, SUMMARY, MAKE)                             \
  namespace {                                                        \
  const ::hild::io::Driver hild_driver_##NAME{#NAME, SUMMARY, MAKE}; \
  [[maybe_unused]] const bool hild_driver_##NAME##_registered =      \
      ::hild::io::register_driver(hild_driver_##NAME);               \
  }                                                                  \
  static_assert(true)

}  // namespace hild::io
