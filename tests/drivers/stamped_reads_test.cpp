// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the kernel tells beside datagrams: control messages made by hand, also wrong ones, a read
/// of a kernel that follows a script, and what this kernel says of both kinds of stamps at once.
#include "drivers/stamped_reads.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/net_tstamp.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "hild/core/descriptor.hpp"

namespace hild {
namespace {

constexpr std::int64_t second = 1'000'000'000;

timespec stamp_of(std::int64_t ns) {
  std::int64_t s = ns / second;
  if (s * second > ns) --s;  // of times before 0 too the rest is 0 ... 999'999'999
  const auto rest = static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(s) * second;
  return {.tv_sec = s, .tv_nsec = static_cast<long>(rest)};
}

/// Control messages one behind the other.
class Control {
 public:
  template <class T>
  Control& add(int level, int type, const T& content, std::size_t said = sizeof(T)) {
    cmsghdr head{};
    head.cmsg_level = level;
    head.cmsg_type = type;
    head.cmsg_len = CMSG_LEN(said);
    std::memcpy(bytes_.data() + size_, &head, sizeof head);
    std::memcpy(bytes_.data() + size_ + CMSG_LEN(0), &content, said);
    size_ += CMSG_SPACE(said);
    return *this;
  }
  Control& wall(std::int64_t ns) { return add(SOL_SOCKET, SO_TIMESTAMPNS, stamp_of(ns)); }
  Control& hardware(std::int64_t ns) {
    const ThreeStamps three{stamp_of(111 * second), stamp_of(222 * second), stamp_of(ns)};
    return add(SOL_SOCKET, SO_TIMESTAMPING, three);
  }
  Control& dropped(std::uint32_t all) { return add(SOL_SOCKET, SO_RXQ_OVFL, all); }

  Told told() {
    msghdr header{};
    header.msg_control = bytes_.data();
    header.msg_controllen = size_;
    return told_of(header);
  }
  /// As the kernel does it: as much as there is room for.
  void write_to(msghdr& header) const {
    header.msg_flags = size_ > header.msg_controllen ? MSG_CTRUNC : 0;
    header.msg_controllen = std::min(size_, header.msg_controllen);
    std::memcpy(header.msg_control, bytes_.data(), header.msg_controllen);
  }

 private:
  alignas(cmsghdr) std::array<std::byte, 512> bytes_{};
  std::size_t size_ = 0;
};

TEST(ToldBesideADatagram, IsNothingWhereNothingIs) {
  const Told told = Control().told();
  EXPECT_EQ(told.wall_ns, 0);
  EXPECT_EQ(told.hardware_ns, 0);
  EXPECT_EQ(told.dropped, 0U);
}

TEST(ToldBesideADatagram, IsBothStampsAndWhatWasDropped) {
  const Told told = Control().wall(5 * second + 1).hardware(7 * second + 2).dropped(9).told();
  EXPECT_EQ(told.wall_ns, 5 * second + 1);
  EXPECT_EQ(told.hardware_ns, 7 * second + 2) << "the third of three";
  EXPECT_EQ(told.dropped, 9U);
}

TEST(ToldBesideADatagram, MayBeAnyTimeOfTheHardware) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t ns : {most, least, least + 1, std::int64_t{-1}, std::int64_t{1}}) {
    EXPECT_EQ(Control().hardware(ns).told().hardware_ns, ns);
  }
}

TEST(ToldBesideADatagram, IsNotTakenFromOthersNorFromWhatIsTooShort) {
  const Told others = Control()
                          .add(SOL_IP, SO_TIMESTAMPNS, stamp_of(1))
                          .add(SOL_IP, SO_TIMESTAMPING, stamp_of(1))
                          .add(SOL_SOCKET, SCM_RIGHTS, 1)
                          .wall(3)
                          .told();
  EXPECT_EQ(others.wall_ns, 3);
  EXPECT_EQ(others.hardware_ns, 0);
  const ThreeStamps three{stamp_of(1), stamp_of(2), stamp_of(3)};
  const Told shorter = Control()
                           .add(SOL_SOCKET, SO_TIMESTAMPNS, stamp_of(1), 8)
                           .add(SOL_SOCKET, SO_TIMESTAMPING, three, 32)
                           .add(SOL_SOCKET, SO_RXQ_OVFL, 1U, 0)
                           .told();
  EXPECT_EQ(shorter.wall_ns, 0);
  EXPECT_EQ(shorter.hardware_ns, 0);
  EXPECT_EQ(shorter.dropped, 0U);
}

// ---- a read ------------------------------------------------------------------------------------

class StillClock final : public rt::Clock {
 public:
  [[nodiscard]] MonoTime now() noexcept override { return MonoTime{1000 * second}; }
  void sleep_until(MonoTime /*due*/) noexcept override {}
};

/// What the next reads bring; then there is nothing.
std::vector<Control>& script() {
  static std::vector<Control> next;
  return next;
}

int scripted_receive(int /*socket*/, mmsghdr* headers, unsigned count, int /*flags*/,
                     timespec* /*wait*/) {
  const auto came = std::min<std::size_t>(count, script().size());
  for (std::size_t i = 0; i < came; ++i) {
    headers[i].msg_len = 1;
    script()[i].write_to(headers[i].msg_hdr);
    EXPECT_EQ(headers[i].msg_hdr.msg_flags, 0) << "there was no room for all that was told";
  }
  script().erase(script().begin(), script().begin() + static_cast<std::ptrdiff_t>(came));
  errno = EAGAIN;
  return came == 0 ? -1 : static_cast<int>(came);
}

class ScriptedReads {
 public:
  explicit ScriptedReads(StampCounts* stamps)
      : reads_(std::vector<iovec>(4, iovec{&byte_, 1}), MonoTime{}, dropped_, stamps,
               scripted_receive) {
    // A second ago, so that no stamp of a script is yet to come.
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    wall_ = (now.tv_sec - 1) * second;
  }
  [[nodiscard]] std::int64_t wall() const { return wall_; }
  /// When the datagrams of a script arrived, from the first on.
  std::vector<std::int64_t> arrivals(std::vector<Control> all) {
    const auto size = static_cast<int>(all.size());
    script() = std::move(all);
    EXPECT_EQ(reads_.read(-1, clock_), size);
    std::vector<std::int64_t> taken;
    taken.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i)
      taken.push_back(reads_.take(static_cast<std::size_t>(i)).arrived.ns);
    for (std::int64_t& each : taken) {
      if (&each != taken.data()) each -= taken.front();
    }
    taken.erase(taken.begin());
    return taken;
  }
  [[nodiscard]] std::int64_t dropped() const { return dropped_.get(); }

 private:
  std::byte byte_{};
  rt::Counter dropped_;
  StillClock clock_;
  StampedReads reads_;
  std::int64_t wall_ = 0;
};

// 20 ms and 300 us after the first at the kernel, 20 ms by the hardware: 20'300'000 / 1024 =
// 19'824.
TEST(StampedReads, TakeStampsOfTheHardwareWhereThereAreAny) {
  StampCounts stamps;
  ScriptedReads reads(&stamps);
  const std::int64_t w = reads.wall();
  const auto arrivals = reads.arrivals({Control().wall(w).hardware(5),
                                        Control().wall(w + 20'300'000).hardware(20'000'005),
                                        Control().wall(w + 30'300'000)});
  EXPECT_EQ(arrivals, (std::vector<std::int64_t>{20'019'824, 30'300'000}));
  EXPECT_EQ(stamps.by_hardware.get(), 2);
  EXPECT_EQ(stamps.restarts.get(), 0);
}

TEST(StampedReads, CountWhatTheyLearnAnewAndWhatWasDropped) {
  StampCounts stamps;
  ScriptedReads reads(&stamps);
  const std::int64_t w = reads.wall();
  const auto arrivals = reads.arrivals({Control().wall(w).hardware(5).dropped(7),
                                        Control().wall(w + 10'000'000).hardware(5'000'000'000),
                                        Control().wall(w + 20'000'000).dropped(10)});
  EXPECT_EQ(arrivals, (std::vector<std::int64_t>{10'000'000, 20'000'000}));
  EXPECT_EQ(stamps.restarts.get(), 1);
  EXPECT_EQ(reads.dropped(), 10);
  reads.arrivals({Control().wall(w), Control().wall(w).dropped(12)});
  EXPECT_EQ(reads.dropped(), 12);
}

TEST(StampedReads, NeedNotCount) {
  ScriptedReads reads(nullptr);
  const std::int64_t w = reads.wall();
  const auto arrivals = reads.arrivals(
      {Control().wall(w).hardware(5), Control().wall(w + 20'300'000).hardware(20'000'005)});
  EXPECT_EQ(arrivals, std::vector<std::int64_t>{20'019'824});
}

// The hardware's own tells nothing without the kernel's; it is as if it came now, a second later.
TEST(StampedReads, DoWithoutAnyStamp) {
  StampCounts stamps;
  ScriptedReads reads(&stamps);
  const auto arrivals = reads.arrivals({Control(), Control().hardware(5)});
  EXPECT_EQ(arrivals, std::vector<std::int64_t>{0});
  EXPECT_EQ(stamps.by_hardware.get(), 0);
}

// ---- this kernel -------------------------------------------------------------------------------

TEST(HardwareStamps, AreAskedForBesideThoseOfTheKernel) {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  EXPECT_TRUE(ask_for_hardware_stamps(socket.get()));
  int set = 0;
  socklen_t size = sizeof set;
  ASSERT_EQ(::getsockopt(socket.get(), SOL_SOCKET, SO_TIMESTAMPING, &set, &size), 0);
  EXPECT_EQ(set, SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE);
  EXPECT_FALSE(ask_for_hardware_stamps(-1));
}

/// A datagram to oneself has come, by the loopback, which has no hardware.
void send_to_oneself(int fd) {
  sockaddr_in self{};
  self.sin_family = AF_INET;
  self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof self;
  auto* const address = reinterpret_cast<sockaddr*>(&self);
  EXPECT_EQ(::bind(fd, address, size), 0);
  EXPECT_EQ(::getsockname(fd, address, &size), 0);
  EXPECT_EQ(::sendto(fd, "x", 1, 0, address, size), 1);
  pollfd waits{.fd = fd, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&waits, 1, 60'000), 1);
}

/// What the kernel tells of it that is asked for stamps so; 0: as drivers ask.
Told told_by_loopback(int flags) {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const int fd = socket.get();
  const int on = 1;
  EXPECT_EQ(::setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on), 0);
  EXPECT_TRUE(ask_for_hardware_stamps(fd));
  if (flags != 0) {
    EXPECT_EQ(::setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags), 0);
  }
  send_to_oneself(fd);
  alignas(cmsghdr) std::array<std::byte, 256> bytes{};
  msghdr header{};
  header.msg_control = bytes.data();
  header.msg_controllen = bytes.size();
  EXPECT_GE(::recvmsg(fd, &header, MSG_DONTWAIT), 0);
  EXPECT_EQ(header.msg_flags & MSG_CTRUNC, 0);
  return told_of(header);
}

TEST(HardwareStamps, LeaveThoseOfTheKernelAsTheyWere) {
  const Told told = told_by_loopback(0);
  EXPECT_NE(told.wall_ns, 0);
  EXPECT_EQ(told.hardware_ns, 0);
  // The same three as of hardware come where the kernel is asked for its own too.
  const Told three = told_by_loopback(SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE |
                                      SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE);
  EXPECT_NE(three.wall_ns, 0);
  EXPECT_EQ(three.hardware_ns, 0) << "the kernel's is the first of three";
}

}  // namespace
}  // namespace hild
