// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_image.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>

#include "drivers/sim_owner.hpp"
#include "hild/core/descriptor.hpp"

namespace hild::sim {

/// What the memory begins with; the voltages follow.
struct SimImage::Head {
  static constexpr std::uint64_t magic_word = 0x6d69732d646c6968;  // "hild-sim"
  static constexpr std::uint32_t version_now = 2;

  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t channels;
  Owner owner;  // the last one; whether it has the image still, the lock tells
  rt::SeqlockWord sequence;

  /// The memory is zeroed behind what it held so far: new channels are at zero.
  void begin(std::size_t of) noexcept {
    version = version_now;
    channels = static_cast<std::uint32_t>(of);
    magic = magic_word;
  }
  [[nodiscard]] bool known() const noexcept {
    return magic == magic_word && version == version_now;
  }

  [[nodiscard]] static std::size_t size_with(std::size_t channels) noexcept {
    return sizeof(Head) + channels * sizeof(rt::SeqlockWord);
  }
  [[nodiscard]] std::span<rt::SeqlockWord> voltages(std::size_t of) noexcept {
    return {reinterpret_cast<rt::SeqlockWord*>(this + 1), of};
  }
};

namespace {

using namespace std::chrono_literals;

constexpr auto remedy = "remove it (rm /dev/shm/{0}) or choose another name with `image`";

template <class... Args>
auto refuse(std::string_view name, fmt::format_string<Args...> text, Args&&... args) {
  return fail(ExitCode::device_failed, "D/A image /dev/shm/{}: {}", name,
              fmt::format(text, std::forward<Args>(args)...));
}

auto refuse_system(std::string_view name, std::string_view what) {
  return refuse(name, "cannot {}: {}", what, std::strerror(errno));
}

auto refuse_layout(std::string_view name) {
  return refuse(name, "it has another layout; {}", fmt::format(remedy, name));
}

/// "/NAME", as shm_open() wants it.
class ObjectName {
 public:
  explicit ObjectName(std::string_view name) {
    fmt::format_to_n(text_.data(), text_.size() - 1, "/{}", name);
  }
  [[nodiscard]] const char* c_str() const { return text_.data(); }

 private:
  std::array<char, 208> text_{};
};

Result<void> check_name(std::string_view name) {
  if (!name.empty() && name.find('/') == name.npos && name.size() <= 200) return {};
  return refuse(name, "expected a plain name of at most 200 characters");
}

/// Why shm_open() gave nothing. A file of another user is often not even opened.
tl::unexpected<Error> refuse_open(std::string_view name) {
  const int why = errno;
  fmt::memory_buffer path;
  fmt::format_to(fmt::appender(path), "/dev/shm/{}", name);
  path.push_back('\0');
  struct stat status {};
  if (why == EACCES && ::stat(path.data(), &status) == 0 && status.st_uid != ::geteuid()) {
    return of_another_user(name, status);
  }
  errno = why;
  return refuse_system(name, "open it");
}

/// Refuses what is not this user's. Returns its size.
Result<off_t> check_user(std::string_view name, int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return refuse_system(name, "examine it");
  if (status.st_uid != ::geteuid()) return of_another_user(name, status);
  return status.st_size;
}

/// How many channels a file of this size has room for.
Result<std::size_t> room(std::string_view name, off_t size, std::size_t head) {
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes >= head && (bytes - head) % sizeof(double) == 0) return (bytes - head) / sizeof(double);
  return refuse(name, "found {} bytes, expected {} and {} for each channel; {}", size, head,
                sizeof(double), fmt::format(remedy, name));
}

}  // namespace

SimImage::~SimImage() { unmap(); }

void SimImage::unmap() noexcept {
  if (head_ != nullptr) ::munmap(head_, Head::size_with(channels()));
  head_ = nullptr;
  lock_.reset();
}

/// Of a file, or private with an `fd` of -1.
Result<void> SimImage::map(std::string_view name, int fd, std::size_t channels) {
  const int access = writable_ ? PROT_READ | PROT_WRITE : PROT_READ;
  const int kind = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const memory =
      ::mmap(nullptr, Head::size_with(channels), access, kind | MAP_POPULATE, fd, 0);
  if (memory == MAP_FAILED) return refuse_system(name, "map it");
  head_ = static_cast<Head*>(memory);
  lock_.emplace(head_->sequence, head_->voltages(channels));
  return {};
}

Result<void> SimImage::open(std::string_view name, std::string_view configuration,
                            std::size_t channels) {
  if (auto plain = check_name(name); !plain) return plain;
  const Descriptor fd(::shm_open(ObjectName(name).c_str(), O_RDWR | O_CREAT, 0600));
  if (fd.get() < 0) return refuse_open(name);
  if (auto ours = check_user(name, fd.get()); !ours) return tl::make_unexpected(ours.error());
  // Two processes may come first at once: one of them gets no further than here.
  if (auto owned = own(name, fd.get(), offsetof(Head, owner)); !owned) return owned;
  const auto size = check_user(name, fd.get());
  if (!size) return tl::make_unexpected(size.error());
  const bool fresh = *size == 0;
  const auto had = fresh ? Result<std::size_t>{0} : room(name, *size, sizeof(Head));
  if (!had) return tl::make_unexpected(had.error());
  channels = std::max(channels, *had);
  const bool grows = fresh || channels > *had;
  if (grows && ::ftruncate(fd.get(), static_cast<off_t>(Head::size_with(channels))) != 0) {
    return refuse_system(name, "size it");
  }
  writable_ = true;
  if (auto mapped = map(name, fd.get(), channels); !mapped) return mapped;
  if (!fresh && !head_->known()) return refuse_layout(name);
  head_->begin(channels);
  head_->owner = this_process(configuration);
  return {};
}

Result<void> SimImage::look(std::string_view name, std::size_t channels) {
  if (auto plain = check_name(name); !plain) return plain;
  const Descriptor fd(::shm_open(ObjectName(name).c_str(), O_RDONLY, 0));
  if (fd.get() < 0) return errno == ENOENT ? open_private(channels) : refuse_open(name);
  return look_at(name, fd.get());
}

Result<void> SimImage::look_at(std::string_view name, int fd) {
  // One that was just made gets its size and its head within a moment.
  const auto end = std::chrono::steady_clock::now() + 200ms;
  while (true) {
    const auto size = check_user(name, fd);
    if (!size) return tl::make_unexpected(size.error());
    const auto there = room(name, *size, sizeof(Head));
    if (there) {
      if (auto mapped = map(name, fd, *there); !mapped) return mapped;
      if (head_->known()) return {};
      unmap();
    }
    if (std::chrono::steady_clock::now() >= end) {
      if (there) return refuse_layout(name);
      return tl::make_unexpected(there.error());
    }
    std::this_thread::sleep_for(5ms);
  }
}

Result<void> SimImage::open_private(std::size_t channels) {
  writable_ = true;
  if (auto mapped = map("(private)", -1, channels); !mapped) return mapped;
  head_->begin(channels);
  return {};
}

void SimImage::write(std::span<const double> voltages) noexcept {
  if (writable_) lock_->write(voltages);
}

bool SimImage::read(std::span<double> voltages) const noexcept { return lock_->read(voltages); }

Result<std::vector<double>> read_sim_image(std::string_view name) {
  if (auto plain = check_name(name); !plain) return tl::make_unexpected(plain.error());
  const Descriptor fd(::shm_open(ObjectName(name).c_str(), O_RDONLY, 0));
  if (fd.get() < 0) return refuse_open(name);
  SimImage image;
  if (auto seen = image.look_at(name, fd.get()); !seen) return tl::make_unexpected(seen.error());
  std::vector<double> voltages(image.channels());
  if (!image.read(voltages)) return refuse(name, "a writer died while writing it");
  return voltages;
}

}  // namespace hild::sim
