// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all are either a configuration or refused with an error that has words; nothing is
/// thrown, nothing crashes. Text after a line "#set KEY=" is the value of a setting.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<hild::config::Setting> settings;
  if (const auto at = text.find("#set "); at != std::string::npos) {
    const std::string setting = text.substr(at + 5);
    const auto equals = setting.find('=');
    settings.push_back(
        {setting.substr(0, equals), equals == std::string::npos ? "" : setting.substr(equals + 1)});
    text.resize(at);
  }
  const auto config = hild::config::load_text(text, "fuzz.yaml", settings);
  if (!config && config.error().message.empty()) std::abort();
  // What was resolved is a configuration itself, the same one.
  if (config) {
    const auto again = hild::config::load_text(config->resolved, "fuzz.yaml");
    if (!again || again->resolved != config->resolved) std::abort();
  }
  return 0;
}
