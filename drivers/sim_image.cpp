// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_image.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>

#include "drivers/sim_owner.hpp"
#include "hild/core/descriptor.hpp"
#include "hild/rt/seqlock.hpp"

namespace hild::sim {

struct SimImage::Layout {
  static constexpr std::uint64_t magic_word = 0x6d69732d646c6968;  // "hild-sim"
  static constexpr std::uint32_t version_now = 2;

  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t channels;
  Owner owner;  // the last one; whether it has the image still, the lock tells
  rt::SeqlockArray<image_channels> voltages;

  void begin() noexcept {  // the memory is zeroed: a whole image of zeros
    version = version_now;
    channels = image_channels;
    magic = magic_word;
  }
  [[nodiscard]] bool known() const noexcept {
    return magic == magic_word && version == version_now && channels == image_channels;
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

/// Refuses what is not an image of this user. Gives an object just made its size.
Result<bool> adopt(std::string_view name, int fd, std::size_t size, bool writable) {
  const auto found = check_user(name, fd);
  if (!found) return tl::make_unexpected(found.error());
  const bool fresh = writable && *found == 0;
  if (fresh) {
    if (::ftruncate(fd, static_cast<off_t>(size)) != 0) return refuse_system(name, "size it");
  } else if (*found != static_cast<off_t>(size)) {
    return refuse(name, "expected {} bytes, found {}; {}", size, *found, fmt::format(remedy, name));
  }
  return fresh;
}

}  // namespace

SimImage::~SimImage() {
  if (shared_ != nullptr) ::munmap(shared_, sizeof(Layout));
}

Result<void> SimImage::open(std::string_view name, std::string_view configuration) {
  if (auto plain = check_name(name); !plain) return plain;
  const Descriptor fd(::shm_open(ObjectName(name).c_str(), O_RDWR | O_CREAT, 0600));
  if (fd.get() < 0) return refuse_open(name);
  if (auto ours = check_user(name, fd.get()); !ours) return tl::make_unexpected(ours.error());
  // Two processes may come first at once: one of them gets no further than here.
  if (auto owned = own(name, fd.get(), offsetof(Layout, owner)); !owned) return owned;
  const auto fresh = adopt(name, fd.get(), sizeof(Layout), true);
  if (!fresh) return tl::make_unexpected(fresh.error());

  void* const memory = ::mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_POPULATE, fd.get(), 0);
  if (memory == MAP_FAILED) return refuse_system(name, "map it");
  shared_ = static_cast<Layout*>(memory);
  writable_ = true;
  if (*fresh) shared_->begin();
  if (!shared_->known()) return refuse_layout(name);
  shared_->owner = this_process(configuration);
  return {};
}

Result<void> SimImage::look(std::string_view name) {
  if (auto plain = check_name(name); !plain) return plain;
  const Descriptor fd(::shm_open(ObjectName(name).c_str(), O_RDONLY, 0));
  if (fd.get() < 0) return errno == ENOENT ? open_private() : refuse_open(name);
  return look(name, fd.get());
}

Result<void> SimImage::look(std::string_view name, int fd) {
  // One that was just made gets its size and its head within a moment.
  const auto end = std::chrono::steady_clock::now() + 200ms;
  while (true) {
    const auto there = adopt(name, fd, sizeof(Layout), false);
    if (there && shared_ == nullptr) {
      void* const memory =
          ::mmap(nullptr, sizeof(Layout), PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
      if (memory == MAP_FAILED) return refuse_system(name, "map it");
      shared_ = static_cast<Layout*>(memory);
    }
    if (there && shared_->known()) return {};
    if (std::chrono::steady_clock::now() >= end) {
      if (there) return refuse_layout(name);
      return tl::make_unexpected(there.error());
    }
    std::this_thread::sleep_for(5ms);
  }
}

Result<void> SimImage::open_private() {
  void* const memory = ::mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return refuse_system("(private)", "map it");
  shared_ = static_cast<Layout*>(memory);
  writable_ = true;
  shared_->begin();
  return {};
}

void SimImage::write(std::span<const double> voltages) noexcept {
  if (writable_) shared_->voltages.write(voltages);
}

bool SimImage::read(std::span<double> voltages) const noexcept {
  return shared_->voltages.read(voltages);
}

Result<std::vector<double>> read_sim_image(std::string_view name) {
  if (auto plain = check_name(name); !plain) return tl::make_unexpected(plain.error());
  const Descriptor fd(::shm_open(ObjectName(name).c_str(), O_RDONLY, 0));
  if (fd.get() < 0) return refuse_open(name);
  SimImage image;
  if (auto seen = image.look(name, fd.get()); !seen) return tl::make_unexpected(seen.error());
  std::vector<double> voltages(image_channels);
  if (!image.read(voltages)) return refuse(name, "a writer died while writing it");
  return voltages;
}

}  // namespace hild::sim
