// SPDX-License-Identifier: Apache-2.0
#include "control/server/dashboards.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cstdlib>
#include <fstream>

#include "config/dashboard_file.hpp"
#include "control/server/method.hpp"
#include "control/server/params.hpp"
#include "control/server/refused.hpp"

namespace hild::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_suffix = ".json";
// Where a dashboard comes from.
constexpr const char* from_configuration = "configuration";
constexpr const char* from_folder = "kept";

std::string read_dashboard_name(Params& params) {
  std::string name = params.text("name");
  if (!config::is_dashboard_name(name)) {
    params.reject("name", fmt::format("found {}, expected {}", found(json::value(name)),
                                      config::a_dashboard_name));
  }
  return name;
}

/// FNV-1a of the bytes: tells one content from another, and is no protection.
std::string revision_of(std::string_view text) {
  std::uint64_t h = 14695981039346656037ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", h);
}

struct StoredFile {
  std::string text;
  json::value layout{};  ///< null where it could not be read
  std::string wrong{};   ///< why
};

std::string system_words() { return std::generic_category().message(errno); }

/// ":4" of a message that says "at byte 120"; empty where it names none.
std::string line_of(std::string_view text, std::string_view message) {
  constexpr std::string_view word = "byte ";
  const std::size_t at = message.rfind(word);
  if (at == std::string_view::npos) return {};
  std::size_t byte = 0;
  const char* const digits = message.data() + at + word.size();
  std::from_chars(digits, message.data() + message.size(), byte);
  return fmt::format(":{}", 1 + std::ranges::count(text.substr(0, byte), '\n'));
}

/// A tile a line, so that a person finds what a message names.
std::string file_text(const json::object& layout) {
  std::string tiles;
  for (const json::value& tile : layout.at("tiles").as_array()) {
    tiles += fmt::format("{}\n  {}", tiles.empty() ? "" : ",", json::serialize(tile));
  }
  return fmt::format("{{\"version\": {},\n \"tiles\": [{}\n]}}\n", config::dashboard_version,
                     tiles);
}

StoredFile stored_file(const fs::path& file) {
  StoredFile content;
  std::ifstream in(file, std::ios::binary);
  std::string text(config::most_dashboard_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
  if (!in.is_open() || in.bad()) {
    content.wrong = fmt::format("{}: {}", file.string(), system_words());
    return content;
  }
  content.text = std::move(text);
  if (content.text.size() > config::most_dashboard_bytes) {
    content.wrong =
        fmt::format("{}: more than {} bytes", file.string(), config::most_dashboard_bytes);
    return content;
  }
  auto parsed =
      rpc::parse_json(content.text, {.message = config::most_dashboard_bytes, .depth = 8});
  if (!parsed) {
    content.wrong =
        fmt::format("{}{}: {}", file.string(), line_of(content.text, parsed.error().message),
                    parsed.error().message);
    return content;
  }
  content.layout = std::move(*parsed);
  if (const std::string wrong = config::wrong_with_layout(content.layout); !wrong.empty()) {
    content.wrong = fmt::format("{}: {}", file.string(), wrong);
    content.layout = nullptr;
  }
  return content;
}

// Whole or not at all, also when the machine loses power.
void write_file(const fs::path& file, std::string_view text) {
  const fs::path beside = file.string() + ".new";
  const int fd =
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0640);
  bool good = fd >= 0;
  for (std::size_t at = 0; good && at < text.size();) {
    const ssize_t n = ::write(fd, text.data() + at, text.size() - at);
    good = n > 0;
    if (good) at += static_cast<std::size_t>(n);
  }
  good = good && ::fsync(fd) == 0;
  std::string why = good ? "" : system_words();
  if (fd >= 0) ::close(fd);
  if (good && ::rename(beside.c_str(), file.c_str()) != 0) why = system_words();
  if (why.empty()) return;
  ::unlink(beside.c_str());
  refuse(rpc::Code::refused,
         "{}: {}; nothing was changed: make room for it, or let the daemon "
         "write there",
         file.string(), why);
}

}  // namespace

fs::path Dashboards::usual_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): at the start
    return std::string(value == nullptr ? "" : value);
  };
  const std::string state = variable("STATE_DIRECTORY");
  if (!state.empty()) return fs::path(state.substr(0, state.find(':'))) / "dashboards";
  const fs::path base = variable("XDG_STATE_HOME");
  if (base.is_absolute()) return base / "hild" / "dashboards";
  const fs::path home = variable("HOME");
  if (home.is_absolute()) return home / ".local" / "state" / "hild" / "dashboards";
  return {};
}

const config::Control::Dashboard* Dashboards::configured(std::string_view name) const {
  const auto one = std::ranges::find(configured_, name, &config::Control::Dashboard::name);
  return one == configured_.end() ? nullptr : &*one;
}

void Dashboards::refuse_configured(const std::string& name) const {
  if (configured(name) == nullptr) return;
  refuse(
      rpc::Code::refused,
      "dashboard \"{}\" comes with the configuration (control.dashboards), and is changed there: "
      "choose another name",
      name);
}

void Dashboards::refuse_without_folder() const {
  if (!folder_.empty()) return;
  refuse(rpc::Code::refused,
         "there is no folder for dashboards: start hild with $STATE_DIRECTORY, $XDG_STATE_HOME or "
         "$HOME set to a folder that it may write into");
}

fs::path Dashboards::file_of(const std::string& name) const {
  return folder_ / (name + std::string(file_suffix));
}

std::vector<fs::path> Dashboards::files() const {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const fs::path& file = at->path();
    if (file.extension() == file_suffix && config::is_dashboard_name(file.stem().string()))
      all.push_back(file);
  }
  std::ranges::sort(all);
  return all;
}

// Names and sizes alone: to read all would hold up what else the server has to do.
json::value Dashboards::list() const {
  json::array all;
  for (const config::Control::Dashboard& one : configured_) {
    all.push_back({{"name", one.name}, {"bytes", one.text.size()}, {"from", from_configuration}});
  }
  std::size_t kept = 0;
  for (const fs::path& file : files()) {
    const std::string name = file.stem().string();
    if (configured(name) != nullptr) continue;
    if (kept++ == config::most_dashboards) break;
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    if (!error) all.push_back({{"name", name}, {"bytes", bytes}, {"from", from_folder}});
  }
  return json::object{{"folder", folder_.string()}, {"dashboards", std::move(all)}};
}

json::value Dashboards::read(Params& params) const {
  const std::string name = read_dashboard_name(params);
  params.refuse_unknown();
  if (const config::Control::Dashboard* const one = configured(name)) {
    return json::object{{"name", name},
                        {"from", from_configuration},
                        {"revision", revision_of(one->text)},
                        {"layout", json::parse(one->text)}};
  }
  refuse_without_folder();
  const fs::path file = file_of(name);
  std::error_code error;
  if (!fs::exists(file, error)) {
    params.reject("name",
                  fmt::format("there is no dashboard \"{}\" in {}", name, folder_.string()));
  }
  StoredFile content = stored_file(file);
  if (!content.wrong.empty()) {
    refuse(rpc::Code::refused,
           "{}; the file is left as it is: mend it, or store another dashboard "
           "under its name, and it is kept beside",
           content.wrong);
  }
  return json::object{{"name", name},
                      {"from", from_folder},
                      {"revision", revision_of(content.text)},
                      {"layout", std::move(content.layout)}};
}

json::value Dashboards::write(Params& params) const {
  const std::string name = read_dashboard_name(params);
  const json::object layout = params.object("layout");
  const std::string over = params.has("over") ? params.text("over") : "";
  params.refuse_unknown();
  refuse_configured(name);
  refuse_without_folder();
  if (const std::string wrong = config::wrong_with_layout(layout); !wrong.empty())
    params.reject("layout", wrong);
  const std::string text = file_text(layout);
  if (text.size() > config::most_dashboard_bytes) {
    params.reject("layout", fmt::format("{} bytes, expected {} at most: make it of fewer tiles",
                                        text.size(), config::most_dashboard_bytes));
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    refuse(rpc::Code::refused, "{}: {}: let the daemon make this folder", folder_.string(),
           error.message());
  }
  const fs::path file = file_of(name);
  fs::path kept;
  if (fs::exists(file, error)) {
    const StoredFile known = stored_file(file);
    if (!known.wrong.empty()) {
      kept = file.string() + ".broken";
      if (fs::exists(kept, error)) {
        refuse(rpc::Code::refused, "{}; and {} is there already: move it away first", known.wrong,
               kept.string());
      }
      fs::rename(file, kept, error);
      if (error) refuse(rpc::Code::refused, "{}: {}", kept.string(), error.message());
    } else if (revision_of(known.text) != over) {
      refuse(rpc::Code::refused,
             "dashboard \"{}\" is there, and {}: read it first, or choose another name", name,
             over.empty() ? "`over` does not say that it is to be replaced"
                          : "was stored by somebody else meanwhile");
    }
  } else if (files().size() >= config::most_dashboards) {
    refuse(rpc::Code::refused, "{} dashboards already: remove one first", config::most_dashboards);
  }
  write_file(file, text);
  json::object answer{{"name", name}, {"revision", revision_of(text)}};
  if (!kept.empty()) answer["kept"] = kept.string();
  return answer;
}

json::value Dashboards::remove(Params& params) const {
  const std::string name = read_dashboard_name(params);
  params.refuse_unknown();
  refuse_configured(name);
  refuse_without_folder();
  std::error_code error;
  if (!fs::remove(file_of(name), error)) {
    params.reject(
        "name", error ? fmt::format("{}: {}", file_of(name).string(), error.message())
                      : fmt::format("there is no dashboard \"{}\" in {}", name, folder_.string()));
  }
  return json::object{};
}

// ---- requests ----------------------------------------------------------------------------------

json::value dashboards(const Context& context, Params& params) {
  params.refuse_unknown();
  return context.dashboards.list();
}
json::value dashboard(const Context& context, Params& params) {
  return context.dashboards.read(params);
}
json::value arrange(const Context& context, Params& params) {
  return context.dashboards.write(params);
}
json::value discard(const Context& context, Params& params) {
  return context.dashboards.remove(params);
}

}  // namespace hild::server
