// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/archive.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

namespace hild::fmu {
namespace {

namespace fs = std::filesystem;

using Archive = std::unique_ptr<zip_t, decltype([](zip_t* z) { ::zip_discard(z); })>;
using Entry = std::unique_ptr<zip_file_t, decltype([](zip_file_t* f) { ::zip_fclose(f); })>;

bool wanted(std::string_view name) {
  return name == "modelDescription.xml" || name.starts_with("binaries/") ||
         name.starts_with("resources/");
}

Result<void> unpack_one(zip_t* archive, zip_uint64_t index, const fs::path& to, std::uint64_t most,
                        std::uint64_t& left) {
  const Entry entry(::zip_fopen_index(archive, index, 0));
  if (!entry) return fail("{}: {}", to.filename().string(), ::zip_strerror(archive));
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  std::ofstream out(to, std::ios::binary);
  std::array<char, 65536> part{};
  for (;;) {
    const zip_int64_t got = ::zip_fread(entry.get(), part.data(), part.size());
    if (got == 0) break;
    if (got < 0) return fail("{}: is damaged", to.filename().string());
    // Counted as it comes: what the archive says of sizes may be wrong.
    if (static_cast<std::uint64_t>(got) > left) return fail("unpacks to more than {} bytes", most);
    left -= static_cast<std::uint64_t>(got);
    out.write(part.data(), got);
  }
  out.close();
  if (!out) return fail("{}: cannot be written: {}", to.string(), std::strerror(errno));
  return {};
}

constexpr std::string_view unpacked_prefix = "hild-unpacked-";

/// A folder of this user, locked; none where it is another's, somebody holds it, or it is gone.
Descriptor take(const fs::path& folder) {
  Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  const bool ours = handle && ::fstat(handle.get(), &found) == 0 && found.st_uid == ::geteuid();
  if (ours && ::flock(handle.get(), LOCK_EX | LOCK_NB) == 0) return handle;
  return {};
}

/// What processes left behind that were killed.
void sweep(const fs::path& where) {
  std::error_code ignored;
  for (const auto& one : fs::directory_iterator(where, ignored)) {
    if (!one.path().filename().string().starts_with(unpacked_prefix)) continue;
    const Descriptor left = take(one.path());
    if (left) fs::remove_all(one.path(), ignored);
  }
}

}  // namespace

// Held by a lock that goes with the process, however it ends, and with those it has forked; the
// number of a process would be another's one day, or that of another container.
Result<Folder> Folder::make() {
  std::error_code error;
  const fs::path where = fs::temp_directory_path(error);
  if (error) {
    const char* const set = std::getenv("TMPDIR");  // NOLINT: no thread sets it
    return fail("no folder to unpack to: TMPDIR: found {}, expected a folder: {}",
                set == nullptr ? "none" : set, error.message());
  }
  sweep(where);
  // Another hild may sweep it before it is locked: then once more.
  for (int tries = 0; tries < 10; ++tries) {
    std::string pattern = where / (std::string(unpacked_prefix) + "XXXXXX");
    if (::mkdtemp(pattern.data()) == nullptr) {
      return fail("no folder to unpack to ({}): {}", pattern, std::strerror(errno));
    }
    Descriptor lock = take(pattern);
    if (lock && fs::exists(pattern)) return Folder(pattern, std::move(lock));
    fs::remove_all(pattern, error);
  }
  return fail("no folder to unpack to: none in {} can be locked", where.string());
}

Folder::~Folder() {
  std::error_code ignored;
  if (lock_) fs::remove_all(path_, ignored);
}

bool stays_inside(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != name.npos ||
      name.find('\0') != name.npos || name.find(':') != name.npos) {
    return false;
  }
  const fs::path path(name);
  return std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

Result<void> unpack(const fs::path& file, const fs::path& to, const Bounds& bounds) {
  int code = 0;
  const Archive archive(::zip_open(file.c_str(), ZIP_RDONLY, &code));
  if (!archive) {
    zip_error_t error;
    ::zip_error_init_with_code(&error, code);
    const std::string words = ::zip_error_strerror(&error);
    ::zip_error_fini(&error);
    return fail("is no FMU, which is a zip archive: {}", words);
  }
  const zip_int64_t count = ::zip_get_num_entries(archive.get(), 0);
  if (count > bounds.files) return fail("holds {} files, at most {}", count, bounds.files);
  std::uint64_t left = bounds.bytes;
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* const name = ::zip_get_name(archive.get(), index, 0);
    if (name == nullptr) return fail("file {} of the archive has no name", i);
    if (std::string_view(name).find_first_of("\\:") != std::string_view::npos) {
      return fail(
          "holds `{}`: in names of an FMU's files / stands between folders, and \\ and : "
          "do not occur; pack it anew",
          name);
    }
    if (!stays_inside(name)) {
      return fail("holds `{}`, which leads out of the archive: not to be trusted", name);
    }
    const fs::path target = to / name;
    const bool folder = std::string_view(name).ends_with('/');
    if (!wanted(name) || folder || fs::exists(target)) continue;
    if (auto done = unpack_one(archive.get(), index, target, bounds.bytes, left); !done)
      return done;
  }
  if (!fs::exists(to / "modelDescription.xml")) {
    return fail("is no FMU: it holds no modelDescription.xml");
  }
  return {};
}

}  // namespace hild::fmu
