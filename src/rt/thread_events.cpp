// SPDX-License-Identifier: Apache-2.0
/// perf_event_open(2): one ring that the kernel writes, for four events of software.
#include "hild/rt/thread_events.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "hild/core/descriptor.hpp"

namespace hild::rt {
namespace {

constexpr std::size_t ring_pages = 64;  // a power of two; some 6000 events

// The beginning of a fault is one event, its end another: of a minor one, or of one that had to
// wait for the disk. Changes of CPU come with the first of them, which never fires by itself.
enum Watched : std::size_t { switches, fault_begins, minor_ends, major_ends, watched_count };
constexpr std::array<std::uint64_t, watched_count> configs{
    PERF_COUNT_SW_DUMMY, PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_PAGE_FAULTS_MIN,
    PERF_COUNT_SW_PAGE_FAULTS_MAJ};

int open_event(Watched watched, pid_t tid, bool kernel_too) {
  perf_event_attr a{};
  a.size = sizeof a;
  a.type = PERF_TYPE_SOFTWARE;
  a.config = configs[watched];
  a.sample_period = 1;
  a.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
  a.sample_id_all = 1;  // records that are no samples end with the same two
  a.context_switch = watched == switches ? 1 : 0;
  a.exclude_kernel = kernel_too ? 0 : 1;
  a.exclude_hv = a.exclude_kernel;
  a.use_clockid = 1;
  a.clockid = CLOCK_MONOTONIC;
  return static_cast<int>(syscall(SYS_perf_event_open, &a, tid, -1, -1,
                                  static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
}

auto refused(int error) {
  const bool forbidden = error == EACCES || error == EPERM;
  return fail(
      "the kernel does not tell what it does to a thread: perf_event_open: {}{}",
      std::strerror(error),
      forbidden ? "; allow it with `sysctl kernel.perf_event_paranoid=1`, or CAP_PERFMON" : "");
}

/// The ring that the kernel writes, and what is read of it.
class EventRing {
 public:
  ~EventRing() {
    if (map_ != MAP_FAILED) munmap(map_, (ring_pages + 1) * page_);
  }

  // 0, or an errno.
  int open_all(pid_t tid, bool kernel_too) {
    for (std::size_t w = 0; w < watched_count; ++w) {
      fds_[w] = Descriptor(open_event(static_cast<Watched>(w), tid, kernel_too));
      if (!fds_[w] || ioctl(fds_[w].get(), PERF_EVENT_IOC_ID, &ids_[w]) != 0) return errno;
      if (w == 0) {
        map_ = mmap(nullptr, (ring_pages + 1) * page_, PROT_READ | PROT_WRITE, MAP_SHARED,
                    fds_[0].get(), 0);
        if (map_ == MAP_FAILED) return errno;
      } else if (ioctl(fds_[w].get(), PERF_EVENT_IOC_SET_OUTPUT, fds_[0].get()) != 0) {
        return errno;
      }
    }
    return 0;
  }

  void collect(std::vector<ThreadEvent>& into) {
    auto* const control = static_cast<perf_event_mmap_page*>(map_);
    const auto* const ring = static_cast<const std::byte*>(map_) + page_;
    const std::uint64_t size = ring_pages * page_;
    std::atomic_ref<__u64> tail_of(control->data_tail);
    // What the kernel wrote before it moved the head is read after; what is read before the tail
    // moves is not overwritten.
    const std::uint64_t head =
        std::atomic_ref<__u64>(control->data_head).load(std::memory_order_acquire);
    std::uint64_t tail = tail_of.load(std::memory_order_relaxed);
    while (head - tail >= sizeof(perf_event_header)) {
      perf_event_header header{};
      const auto copy = [&](void* to, std::uint64_t from, std::size_t n) {
        const std::uint64_t start = from % size;
        const std::size_t first = std::min<std::size_t>(n, size - start);
        std::memcpy(to, ring + start, first);
        std::memcpy(static_cast<std::byte*>(to) + first, ring, n - first);
      };
      copy(&header, tail, sizeof header);
      if (header.size < sizeof header || header.size > head - tail) break;
      record_.resize(header.size - sizeof header);
      copy(record_.data(), tail + sizeof header, record_.size());
      take(header, into);
      tail += header.size;
    }
    tail_of.store(tail, std::memory_order_release);
  }

 private:
  void take(const perf_event_header& header, std::vector<ThreadEvent>& into) {
    if (header.type == PERF_RECORD_SWITCH) {
      const MonoTime at{static_cast<std::int64_t>(number(0))};
      if ((header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0) {
        const bool preempted = (header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
        off_ = {preempted ? ThreadEvent::Kind::preempted : ThreadEvent::Kind::slept, at, at};
      } else if (off_) {
        into.push_back({off_->kind, off_->from, at});
        off_.reset();
      }
    } else if (header.type == PERF_RECORD_SAMPLE) {
      const std::uint64_t id = number(0);  // the identifier comes first, then the time
      const MonoTime at{static_cast<std::int64_t>(number(8))};
      if (id == ids_[fault_begins]) {
        fault_from_ = at;
      } else if (fault_from_ && (id == ids_[minor_ends] || id == ids_[major_ends])) {
        into.push_back({ThreadEvent::Kind::page_fault, *fault_from_, at});
        fault_from_.reset();
      }
    } else if (header.type == PERF_RECORD_LOST) {
      // What began may have ended unseen.
      off_.reset();
      fault_from_.reset();
    }
  }

  [[nodiscard]] std::uint64_t number(std::size_t at) const {
    std::uint64_t n = 0;
    if (at + sizeof n <= record_.size()) std::memcpy(&n, record_.data() + at, sizeof n);
    return n;
  }

  std::array<Descriptor, watched_count> fds_;
  std::array<std::uint64_t, watched_count> ids_{};
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* map_ = MAP_FAILED;
  std::vector<std::byte> record_;
  std::optional<ThreadEvent> off_;      // the CPU, and not yet back
  std::optional<MonoTime> fault_from_;  // and not yet ended
};

}  // namespace

Result<ThreadEvents> watch_thread(pid_t tid) {
  int error = 0;
  // Without the privilege for the kernel's own faults, those of the program alone.
  for (const bool kernel_too : {true, false}) {
    const auto ring = std::make_shared<EventRing>();
    error = ring->open_all(tid, kernel_too);
    if (error == 0) return [ring](std::vector<ThreadEvent>& into) { ring->collect(into); };
    if (error != EACCES && error != EPERM) break;
  }
  return refused(error);
}

}  // namespace hild::rt
