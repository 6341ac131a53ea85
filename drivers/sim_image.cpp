// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_image.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hild/rt/seqlock_array.hpp"

namespace hild::sim {

struct SimImage::Layout {
  static constexpr std::uint64_t magic_word = 0x6d69732d646c6968;  // "hild-sim"
  static constexpr std::uint32_t version_now = 1;

  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t channels;
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

constexpr auto remedy = "remove it (rm /dev/shm/{0}) or choose another name with `image`";

template <class... Args>
auto refuse(std::string_view name, fmt::format_string<Args...> text, Args&&... args) {
  return fail(ExitCode::device_failed, "D/A image /dev/shm/{}: {}", name,
              fmt::format(text, std::forward<Args>(args)...));
}

auto refuse_system(std::string_view name, std::string_view what) {
  return refuse(name, "cannot {}: {}", what, std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ < 0) return;
    ::flock(fd_, LOCK_UN);  // closing does not give the lock back: the mapping keeps the file open
    ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// Refuses what is not an image of this user. Gives an object just made its size.
Result<bool> adopt(std::string_view name, int fd, std::size_t size, bool writable) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return refuse_system(name, "examine it");
  if (status.st_uid != ::geteuid()) {
    return refuse(name, "it belongs to user {}, not to user {}; {}", status.st_uid, ::geteuid(),
                  fmt::format(remedy, name));
  }
  const bool fresh = writable && status.st_size == 0;
  if (fresh) {
    if (::ftruncate(fd, static_cast<off_t>(size)) != 0) return refuse_system(name, "size it");
  } else if (status.st_size != static_cast<off_t>(size)) {
    return refuse(name, "expected {} bytes, found {}; {}", size, status.st_size,
                  fmt::format(remedy, name));
  }
  return fresh;
}

}  // namespace

SimImage::~SimImage() {
  if (shared_ != nullptr) ::munmap(shared_, sizeof(Layout));
}

Result<void> SimImage::open(std::string_view name) { return map(name, true); }

Result<void> SimImage::open_private() {
  void* const memory = ::mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return refuse_system("(private)", "map it");
  shared_ = static_cast<Layout*>(memory);
  shared_->begin();
  return {};
}

Result<void> SimImage::map(std::string_view name, bool writable) {
  if (name.empty() || name.find('/') != name.npos || name.size() > 200) {
    return refuse(name, "expected a plain name of at most 200 characters");
  }
  std::array<char, 208> path{};
  fmt::format_to_n(path.data(), path.size() - 1, "/{}", name);
  const Descriptor fd(::shm_open(path.data(), writable ? O_RDWR | O_CREAT : O_RDONLY, 0600));
  if (fd.get() < 0) return refuse_system(name, "open it");
  // Two processes may come first at once: the lock is held until the header is written.
  if (::flock(fd.get(), writable ? LOCK_EX : LOCK_SH) != 0) return refuse_system(name, "lock it");
  const auto fresh = adopt(name, fd.get(), sizeof(Layout), writable);
  if (!fresh) return tl::make_unexpected(fresh.error());

  void* const memory =
      ::mmap(nullptr, sizeof(Layout), writable ? PROT_READ | PROT_WRITE : PROT_READ,
             MAP_SHARED | MAP_POPULATE, fd.get(), 0);
  if (memory == MAP_FAILED) return refuse_system(name, "map it");
  shared_ = static_cast<Layout*>(memory);
  if (*fresh) shared_->begin();
  if (!shared_->known()) {
    return refuse(name, "it has another layout; {}", fmt::format(remedy, name));
  }
  return {};
}

void SimImage::write(std::span<const double> voltages) noexcept {
  shared_->voltages.write(voltages);
}

bool SimImage::read(std::span<double> voltages) const noexcept {
  return shared_->voltages.read(voltages);
}

Result<std::vector<double>> read_sim_image(std::string_view name) {
  SimImage image;
  if (auto mapped = image.map(name, false); !mapped) return tl::make_unexpected(mapped.error());
  std::vector<double> voltages(image_channels);
  if (!image.read(voltages)) return refuse(name, "a writer died while writing it");
  return voltages;
}

}  // namespace hild::sim
