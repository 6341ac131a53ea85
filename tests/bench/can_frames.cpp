// SPDX-License-Identifier: Apache-2.0
/// What a tick of a CAN bus takes, of the driver and of a loop by hand that makes the same two
/// system calls and packs the same bits.
///     can_frames hild|by_hand SIGNALS TICKS [INTERFACE]
/// 64 cyclic messages of 8 bytes come in and 64 go out each tick, with 1 ... 4 signals each.
/// Without an interface a pair of local sockets stands for the bus, which stamps what it carries as
/// CAN does: for callgrind, which counts what is in tick() and no kernel. With one (vcan0) a tick
/// of 1 ms is waited for, and its time is measured: for the virtual rig, where a nanosecond is an
/// instruction, the kernel's included. One line a figure: "mean", "p50"; "bytes", a sum of all that
/// was sent, and "values", one of all that was received, which are to be the same of both.
///
/// What the loop by hand does: stamps on the clock of the run, lengths, identifiers by a table,
/// numbers cut to their bits. What it does not: identifiers of any kind, signals that come and go,
/// counters and checksums, cycles, sending again what the kernel did not take, counting, telling
/// another process what was sent.
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drivers/can_device.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::bench {
namespace {

constexpr std::size_t messages = 64;
constexpr canid_t first_in = 0x100, first_out = 0x200;
constexpr std::size_t most_signals = 4;
std::size_t signals = most_signals;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "can_frames: %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

std::int64_t ns_of(clockid_t clock) noexcept {
  timespec t{};
  ::clock_gettime(clock, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

// ---- the bus -----------------------------------------------------------------------------------

int device_end = -1, other_end = -1;
std::string interface;

void ask_for_stamps(int fd) {
  const int on = 1;
  const bool asked = ::setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) == 0 &&
                     ::setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on) == 0;
  if (!asked) fail("no stamps");
}

std::vector<can_filter> filters(canid_t first) {
  std::vector<can_filter> all;
  for (canid_t m = 0; m < messages; ++m) {
    all.push_back({first + m, CAN_EFF_FLAG | CAN_RTR_FLAG | CAN_SFF_MASK});
  }
  return all;
}

int open_can(canid_t wanted) {
  const int fd = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CAN_RAW);
  const auto all = filters(wanted);
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(::if_nametoindex(interface.c_str()));
  const auto size = static_cast<socklen_t>(all.size() * sizeof all[0]);
  if (::setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FILTER, all.data(), size) != 0 ||
      ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail(interface);
  }
  return fd;
}

void open_bus() {
  if (!interface.empty()) {
    other_end = open_can(first_out);
    return;
  }
  std::array<int, 2> ends{};
  const int kind = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
  if (::socketpair(AF_UNIX, kind, 0, ends.data()) != 0) fail("no pair");
  device_end = ends[0];
  other_end = ends[1];
  ask_for_stamps(device_end);
}

/// The other end: sends all messages, and takes all that were sent.
class Peer {
 public:
  void feed(std::uint64_t tick) const {
    for (canid_t m = 0; m < messages; ++m) {
      can_frame frame{};
      frame.can_id = first_in + m;
      frame.can_dlc = 8;
      const std::uint64_t bits = (tick * messages + m) * 0x9e3779b97f4a7c15U;
      std::memcpy(frame.data, &bits, sizeof bits);
      if (::write(other_end, &frame, sizeof frame) != sizeof frame) fail("the peer cannot send");
    }
  }
  void drain() {
    can_frame frame{};
    std::size_t came = 0;
    while (::read(other_end, &frame, sizeof frame) == sizeof frame) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, frame.data, sizeof bits);
      sum_ = (sum_ ^ bits ^ frame.can_id ^ frame.can_dlc) * 0x100000001b3U;
      ++came;
    }
    if (came != messages) {
      errno = 0;
      fail("found " + std::to_string(came) + " frames of a tick, expected 64");
    }
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325U;
};

// ---- who is measured ---------------------------------------------------------------------------

class Side {
 public:
  Side() = default;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  virtual ~Side() = default;
  /// Sends the outputs, then reads the inputs and when they arrived.
  virtual void exchange(std::span<const double> outputs, std::span<double> inputs,
                        std::span<MonoTime> sampled) noexcept = 0;
};

/// Reads the clock as it is, and tells the time of the tick: so that what is due does not depend on
/// what else the machine does.
class TickClock final : public rt::Clock {
 public:
  [[nodiscard]] MonoTime now() noexcept override {
    const MonoTime real = rt::monotonic_now();
    return ticks_ ? tick_ : real;
  }
  void sleep_until(MonoTime /*due*/) noexcept override {}
  void set(MonoTime tick) noexcept {
    ticks_ = true;
    tick_ = tick;
  }

 private:
  bool ticks_ = false;
  MonoTime tick_{};
};
TickClock run_clock;

const char* const parts_of_a_message[] = {" SG_ A : 0|16@1- (0.1,0) [0|0] \"\" Vector__XXX\n",
                                          " SG_ B : 16|12@1+ (0.5,-100) [0|0] \"\" Vector__XXX\n",
                                          " SG_ C : 28|4@1+ (1,0) [0|0] \"\" Vector__XXX\n",
                                          " SG_ D : 39|16@0- (0.01,0) [0|0] \"\" Vector__XXX\n"};

class Driver final : public Side {
 public:
  Driver() {
    const std::string file = "/tmp/can_frames-" + std::to_string(::getpid()) + ".dbc";
    write_dbc(file);
    test::FakeOptions keys({{"interface", interface.empty() ? "vcan0" : interface}, {"dbc", file}});
    const auto pair = [](const can::Link&, std::span<const can_filter>) -> Result<Descriptor> {
      return Descriptor(device_end);
    };
    device_.emplace(keys, interface.empty() ? can::OpenSocket(pair) : can::open_socket);
    std::remove(file.c_str());
    for (const char* direction : {"In", "Out"}) {
      for (std::size_t m = 0; m < messages; ++m) {
        for (std::size_t s = 0; s < signals; ++s) {
          const std::string name = direction + std::to_string(m) + "." + static_cast<char>('A' + s);
          test::FakeOptions entry({{"signal", name}});
          const bool in = direction[0] == 'I';
          if (!device_->add(in ? io::Direction::input : io::Direction::output, entry)) fail(name);
        }
      }
    }
    if (const auto opened = device_->open(run_clock); !opened) fail(opened.error().message);
    device_->start(run_clock.now());
  }
  void exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override {
    if (!device_->exchange(outputs, inputs, sampled)) fail(std::string(device_->failure()));
  }

 private:
  static void write_dbc(const std::string& file) {
    std::ofstream text(file);
    text << "VERSION \"\"\nBU_:\n";
    for (std::size_t m = 0; m < 2 * messages; ++m) {
      const bool in = m < messages;
      const std::size_t of = m % messages;
      text << "BO_ " << (in ? first_in : first_out) + of << (in ? " In" : " Out") << of
           << ": 8 Vector__XXX\n";
      for (const char* part : parts_of_a_message) text << part;
    }
    text << "BA_DEF_ BO_ \"GenMsgCycleTime\" INT 0 65535;\nBA_DEF_DEF_ \"GenMsgCycleTime\" 1;\n";
  }
  std::optional<can::CanDevice> device_;
};

/// The loop that a person would write for these messages.
class ByHand final : public Side {
 public:
  ByHand() {
    if (!interface.empty()) {
      device_end = open_can(first_in);
      ask_for_stamps(device_end);
    }
    for (std::size_t m = 0; m < messages; ++m) {
      out_[m].can_id = first_out + static_cast<canid_t>(m);
      out_[m].can_dlc = 8;
      out_bytes_[m] = {&out_[m], sizeof out_[m]};
      out_headers_[m].msg_hdr.msg_iov = &out_bytes_[m];
      out_headers_[m].msg_hdr.msg_iovlen = 1;
      in_bytes_[m] = {&in_[m], sizeof in_[m]};
      in_headers_[m].msg_hdr.msg_iov = &in_bytes_[m];
      in_headers_[m].msg_hdr.msg_iovlen = 1;
      in_headers_[m].msg_hdr.msg_control = told_[m].bytes;
    }
  }
  void exchange(std::span<const double> outputs, std::span<double> inputs,
                std::span<MonoTime> sampled) noexcept override {
    if (signals == 1) {
      send<1>(outputs.data());
      receive<1>(inputs.data(), sampled.data());
    } else {
      send<most_signals>(outputs.data());
      receive<most_signals>(inputs.data(), sampled.data());
    }
  }

 private:
  static constexpr std::uint64_t at_rest = 200U << 16;  // B is 0 where no output is on it
  static std::int64_t cut(double count, double least, double most) noexcept {
    const double not_less = count > least ? count : least;
    return std::lrint(not_less < most ? not_less : most);
  }
  template <std::size_t n>
  void send(const double* y) noexcept {
    for (std::size_t m = 0; m < messages; ++m, y += n) {
      auto bits = static_cast<std::uint64_t>(cut(y[0] / 0.1, -32768, 32767)) & 0xffff;
      if constexpr (n == 1) bits |= at_rest;
      if constexpr (n > 1) {
        bits |= static_cast<std::uint64_t>(cut((y[1] + 100) / 0.5, 0, 4095)) << 16;
        bits |= static_cast<std::uint64_t>(cut(y[2], 0, 15)) << 28;
        const auto d = static_cast<std::uint16_t>(cut(y[3] / 0.01, -32768, 32767));
        bits |= std::uint64_t{__builtin_bswap16(d)} << 32;
      }
      std::memcpy(out_[m].data, &bits, sizeof bits);
    }
    if (::sendmmsg(device_end, out_headers_.data(), messages, MSG_DONTWAIT) != int{messages}) {
      fail("cannot send");
    }
  }
  template <std::size_t n>
  void receive(double* u, MonoTime* sampled) noexcept {
    for (mmsghdr& header : in_headers_) header.msg_hdr.msg_controllen = sizeof told_[0].bytes;
    const int came = ::recvmmsg(device_end, in_headers_.data(), messages, MSG_DONTWAIT, nullptr);
    const std::int64_t ahead = ns_of(CLOCK_REALTIME) - run_clock.now().ns;
    for (int i = 0; i < came; ++i) {
      const auto slot = static_cast<std::size_t>(i);
      const can_frame& frame = in_[slot];
      const std::size_t m = frame.can_id - first_in;
      if (m >= messages || frame.can_dlc < 8) continue;
      std::uint64_t bits = 0;
      std::memcpy(&bits, frame.data, sizeof bits);
      double* const to = u + m * n;
      to[0] = 0.1 * static_cast<std::int16_t>(bits);
      if constexpr (n > 1) {
        to[1] = 0.5 * static_cast<double>(bits >> 16 & 0xfff) - 100;
        to[2] = static_cast<double>(bits >> 28 & 0xf);
        const auto d = __builtin_bswap16(static_cast<std::uint16_t>(bits >> 32));
        to[3] = 0.01 * static_cast<std::int16_t>(d);
      }
      sampled[m] = arrival(in_headers_[slot].msg_hdr, ahead);
    }
  }
  static MonoTime arrival(msghdr& header, std::int64_t ahead) noexcept {
    for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_TIMESTAMPNS) continue;
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      return MonoTime{std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec - ahead};
    }
    return run_clock.now();
  }

  struct alignas(cmsghdr) Told {
    char bytes[CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(std::uint32_t))];
  };
  std::array<can_frame, messages> in_{}, out_{};
  std::array<iovec, messages> in_bytes_{}, out_bytes_{};
  std::array<mmsghdr, messages> in_headers_{}, out_headers_{};
  std::array<Told, messages> told_{};
};

// ---- the run -----------------------------------------------------------------------------------

std::vector<double> outputs, inputs;
std::vector<MonoTime> sampled;

/// What is counted.
[[gnu::noinline]] void tick(Side& side) noexcept { side.exchange(outputs, inputs, sampled); }

std::unique_ptr<Side> make_side(const std::string& name) {
  if (name == "hild") return std::make_unique<Driver>();
  if (name == "by_hand") return std::make_unique<ByHand>();
  errno = EINVAL;
  fail(name);
}

/// Values that reach beyond what the bits carry, now and then.
void set_outputs(std::int64_t k) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] =
        static_cast<double>((k * 7919 + static_cast<std::int64_t>(i) * 104'729) % 7001 - 3500);
  }
}

int run(const std::string& name, std::int64_t ticks) {
  open_bus();
  const auto side = make_side(name);
  outputs.resize(messages * signals);
  inputs.resize(messages * signals);
  sampled.resize(messages);
  Peer peer;
  std::vector<std::int64_t> took;
  took.reserve(static_cast<std::size_t>(ticks));
  double values = 0;
  const std::int64_t began = ns_of(CLOCK_MONOTONIC);
  for (std::int64_t k = 1; k <= ticks; ++k) {
    const std::int64_t due = began + k * 1'000'000;
    if (!interface.empty()) {
      const timespec at{.tv_sec = due / 1'000'000'000, .tv_nsec = due % 1'000'000'000};
      ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
    }
    run_clock.set(MonoTime{due});
    set_outputs(k);
    peer.feed(static_cast<std::uint64_t>(k));
    const std::int64_t before = ns_of(CLOCK_MONOTONIC);
    tick(*side);
    took.push_back(ns_of(CLOCK_MONOTONIC) - before);
    peer.drain();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      values += inputs[i] * static_cast<double>(i + 1);
  }
  std::int64_t sum = 0;
  for (const std::int64_t one : took) sum += one;
  std::ranges::sort(took);
  std::printf("mean %.6g\np50 %lld\nbytes %llu\nvalues %.17g\n",
              static_cast<double>(sum) / static_cast<double>(took.size()),
              static_cast<long long>(took[took.size() / 2]),
              static_cast<unsigned long long>(peer.sum()), values);
  return 0;
}

}  // namespace
}  // namespace hild::bench

int main(int count, char** words) {
  if (count < 4 || count > 5) {
    std::fprintf(stderr, "usage: can_frames hild|by_hand 1|4 TICKS [INTERFACE]\n");
    return 1;
  }
  hild::bench::signals = std::atoi(words[2]) == 1 ? 1 : hild::bench::most_signals;
  if (count == 5) {
    hild::bench::interface = words[4];
    const sched_param first{.sched_priority = 80};
    (void)::sched_setscheduler(0, SCHED_FIFO, &first);
    (void)::mlockall(MCL_CURRENT | MCL_FUTURE);
  }
  return hild::bench::run(words[1], std::atoll(words[3]));
}
