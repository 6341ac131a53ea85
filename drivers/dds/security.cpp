// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/security.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace hild::dds {
namespace {

struct File {
  std::string_view property;
  std::string_view name;
};
constexpr File files[] = {
    {"dds.sec.auth.identity_ca", "identity_ca.cert.pem"},
    {"dds.sec.auth.identity_certificate", "cert.pem"},
    {"dds.sec.auth.private_key", "key.pem"},
    {"dds.sec.access.permissions_ca", "permissions_ca.cert.pem"},
    {"dds.sec.access.governance", "governance.p7s"},
    {"dds.sec.access.permissions", "permissions.p7s"},
};

// Cyclone looks for its plug-ins by these names.
struct PlugIn {
  std::string_view property, library, function;
};
constexpr PlugIn plug_ins[] = {
    {"dds.sec.auth.library", "dds_security_auth", "authentication"},
    {"dds.sec.crypto.library", "dds_security_crypto", "crypto"},
    {"dds.sec.access.library", "dds_security_ac", "access_control"},
};

}  // namespace

std::string whole_path(std::string_view path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? std::string(path) : whole.string();
}

Result<std::vector<std::pair<std::string, std::string>>> security_properties(
    const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const File& file : files) {
    const std::string path = fmt::format("{}/{}", folder, file.name);
    if (::access(path.c_str(), R_OK) != 0) {
      return fail("security: {}: {}; expected the files of a node there (config/dds_keys.sh)", path,
                  std::strerror(errno));
    }
    all.emplace_back(file.property, "file:" + path);
  }
  for (const PlugIn& one : plug_ins) {
    all.emplace_back(fmt::format("{}.path", one.property), one.library);
    all.emplace_back(fmt::format("{}.init", one.property), fmt::format("init_{}", one.function));
    all.emplace_back(fmt::format("{}.finalize", one.property),
                     fmt::format("finalize_{}", one.function));
  }
  return all;
}

}  // namespace hild::dds
