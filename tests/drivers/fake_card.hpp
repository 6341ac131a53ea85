// SPDX-License-Identifier: Apache-2.0
/// \file
/// A card of the Linux Comedi framework that is not there: this program is the kernel to libcomedi
/// for one file, whose ioctl(), read() and ppoll() are answered here as the Comedi core answers
/// them. So the library itself is what is tested with. One card at a time, of one thread; a forked
/// copy of the process has the same card.
///   subdevice 0: 4 analog inputs, 16 bits, +-10 V and +-5 V, with commands
///   subdevice 1: 2 analog outputs, 16 bits, +-10 V
///   subdevice 2: 8 digital lines, each in or out
///   subdevice 3: 2 counters of 24 bits
///   subdevice 4: 2 pulse widths of 1000 steps
///   subdevice 5: 1 analog input that has no commands
#pragma once

#include <comedi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace hild::test {

class FakeCard {
 public:
  FakeCard();
  FakeCard(const FakeCard&) = delete;
  FakeCard& operator=(const FakeCard&) = delete;
  ~FakeCard();

  static constexpr unsigned buffer = 4096;  ///< bytes of scans for which it has room

  /// What it is like and what it holds, of plain data: processes share it.
  struct State {
    // The lines. An analog input is read as its count stands there, by either way.
    std::array<lsampl_t, 4> analog_in{};
    std::array<lsampl_t, 2> analog_out{};
    unsigned bits = 0;
    unsigned directions = 0;  ///< 1: an output
    std::array<lsampl_t, 2> counter{};
    std::array<lsampl_t, 2> width{};
    // What counters and pulse widths were told last, in this order.
    std::array<unsigned, 2> resets{};
    std::array<unsigned, 2> mode{};
    std::array<int, 2> armed{-1, -1};
    unsigned pwm_period_ns = 0;
    unsigned pwm_step_ns = 1;  ///< periods of a pulse width are multiples of it

    // What it can do.
    bool gone = false;        ///< it has been detached
    bool commands = true;     ///< subdevice 0 has them
    bool wide = false;        ///< its samples have 32 bits
    bool endless = true;      ///< a command need not end
    bool by_trigger = false;  ///< one starts by an internal trigger alone
    bool in_order = false;    ///< channels are scanned in ascending order alone
    unsigned step_ns = 1;     ///< its times are multiples of it
    int refuses = 0;          ///< errno of what starts a command
    int read_subdevice = 0;

    // The command.
    comedi_cmd command{};
    std::array<unsigned, 16> channels{};
    bool given = false;    ///< a command was
    bool running = false;  ///< it has started, and not ended
    bool error = false;    ///< it has ended for an error
    int starts = 0;
    int cancels = 0;
    int instructions = 0;  ///< that read an analog input

    // Scans that wait to be read.
    bool by_clock = false;  ///< they come as CLOCK_MONOTONIC goes by, as the command says
    std::int64_t started_ns = 0;
    std::int64_t made = 0;  ///< scans
    std::array<unsigned char, buffer> bytes{};
    unsigned waiting = 0;  ///< bytes
  };
  State* operator->() noexcept { return state_; }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// A scan of the inputs as they are now comes into the buffer; where there is no room the command
  /// ends.
  void scan();
  /// The first `bytes` of one alone; finish() brings the rest.
  void begin_scan(unsigned bytes);
  void finish_scan(unsigned bytes);
  /// The card ends its command, for an error or for none.
  void end(bool error);

  /// What happens while somebody waits for a scan, with how often somebody did.
  std::function<void(int)> on_wait;

 private:
  State* state_;
  std::string path_;
};

}  // namespace hild::test
