// SPDX-License-Identifier: Apache-2.0
#include "rooms/source_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>

#include "rooms/class_members.hpp"
#include "rooms/source_text.hpp"

namespace hild::rooms {
namespace {

// ---- the tables --------------------------------------------------------------------------------

/// The rooms, from the bottom up: no arrow points to one further down this list.
constexpr std::array<std::string_view, 13> all_rooms{
    "core", "rt",     "numerics",  "model",   "io",      "foreign", "drivers",
    "exec", "config", "recording", "offline", "control", "cli"};

/// A room, or one of the folders of a large one.
struct Folder {
  std::string_view name;
  std::array<std::string_view, 12> below;  ///< and, with them, all that is below those
  bool real_time;
};

// The arrows. A new folder is a new line.
constexpr std::array all_folders{
    Folder{"core", {}, false},
    Folder{"rt", {"core"}, true},
    Folder{"rt/confined", {"rt"}, false},
    Folder{"numerics", {"core"}, true},
    Folder{"numerics/analysis", {"numerics"}, false},
    Folder{"model", {"numerics"}, true},
    Folder{"model/coupled", {"model"}, true},
    Folder{"model/tabulated", {"model"}, true},
    Folder{"model/bond", {"model"}, true},
    Folder{"model/calculated", {"model"}, false},
    Folder{"io", {"rt"}, true},
    Folder{"io/guard", {"io"}, false},
    Folder{"foreign/plugin", {"model", "io"}, false},
    Folder{"foreign/examine", {"model", "rt"}, false},
    Folder{"foreign/remote", {"model", "rt"}, true},
    Folder{"foreign/fmi", {"model"}, true},
    Folder{"foreign/fmu", {"foreign/fmi", "foreign/plugin", "rt"}, false},
    Folder{"foreign/contain",
           {"foreign/remote", "foreign/fmu", "foreign/plugin", "foreign/examine", "rt/confined"},
           false},
    Folder{"drivers", {"io", "drivers/can", "drivers/dbc", "drivers/dds"}, true},
    Folder{"drivers/can", {}, true},
    Folder{"drivers/dbc", {"drivers/can", "core"}, false},
    Folder{"drivers/dds", {"io", "rt", "rt/confined", "core"}, false},
    Folder{"exec", {"model", "io"}, true},
    Folder{"config",
           {"exec", "model/coupled", "model/tabulated", "model/bond", "model/calculated",
            "foreign/contain", "foreign/plugin", "foreign/fmu"},
           false},
    Folder{"config/plan", {"config", "foreign/contain", "foreign/examine"}, false},
    Folder{"recording/mcap", {"core"}, false},
    Folder{"recording/record", {"exec"}, false},
    Folder{"recording/framelog", {"recording/record", "config", "recording/mcap"}, false},
    Folder{"recording/convert", {"recording/framelog"}, false},
    Folder{"recording/join", {"recording/framelog"}, false},
    Folder{"offline/reference", {"model"}, false},
    Folder{"offline/advise", {"config/plan", "numerics/analysis", "offline/reference"}, false},
    Folder{"offline/replay", {"recording/framelog", "config/plan", "offline/reference"}, false},
    Folder{"control/rpc", {"core"}, false},
    Folder{"control/sequence", {"config"}, false},
    Folder{"control/nodes", {"io"}, false},
    Folder{"control/server", {"config", "recording/record", "control/rpc", "control/nodes"}, false},
    Folder{"cli/terminal", {"config"}, false},
    Folder{"cli/report",
           {"recording/framelog", "recording/record", "recording/join", "config/plan",
            "numerics/analysis", "offline/advise"},
           false},
    Folder{"cli/doctor", {"rt"}, false},
    Folder{"cli/main",
           {"cli/terminal", "cli/report", "recording/convert", "offline/replay",
            "offline/reference", "control/server", "control/sequence", "io/guard", "cli/doctor"},
           false},
    Folder{"cli/ctl", {"cli/terminal", "control/rpc", "control/sequence", "cli/report"}, false},
};

struct Ban {
  std::string_view text;  ///< an identifier, a `::` name, or the start of one with a final `*`
  bool real_time_only;    ///< forbidden on the real-time side only, else everywhere
  std::string_view except;
  std::string_view why;
};

constexpr std::string_view one_place = "atomics live in rt, where their order can be reviewed";
constexpr std::string_view bounded = "the real-time side is bounded: no lock";
constexpr std::string_view loading = "real-time rooms use string_view, hild::Name or fmt buffers";

constexpr std::array banned_words{
    Ban{"std::atomic*", false, "rt", one_place},
    Ban{"__atomic*", false, "rt", one_place},
    Ban{"__sync*", false, "rt", one_place},
    Ban{"volatile", false, "rt", "it orders nothing between threads; use what rt offers"},
    Ban{"throw", true, "", "the real-time side is noexcept; while loading, return a Result"},
    Ban{"std::string", true, "", loading},
    Ban{"std::mutex", true, "", bounded},
    Ban{"std::condition_variable*", true, "", bounded},
    Ban{"*printf", true, "", "the real-time side formats nothing"},
    Ban{"std::function", true, "rt", "it may allocate and may be empty; use an interface"},
};
constexpr std::array banned_headers{
    Ban{"atomic", false, "rt", one_place},
    Ban{"mutex", true, "", bounded},
    Ban{"condition_variable", true, "", bounded},
    Ban{"iostream", true, "", "the real-time side formats nothing"},
};

constexpr int most_members = 15;

// ---- rooms and arrows --------------------------------------------------------------------------

const Folder* find(std::string_view name) {
  const auto* found = std::ranges::find(all_folders, name, &Folder::name);
  return found == all_folders.end() ? nullptr : found;
}

/// The first folder of a path, when it has one.
std::string_view first_folder(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

/// The folder of the table that a file lies in, by its path from where rooms begin; or the room it
/// would be of.
std::string_view folder_of(std::string_view path) {
  const std::string_view room = first_folder(path);
  if (room.empty()) return room;
  const std::string_view inner = first_folder(path.substr(room.size() + 1));
  const std::string_view folder = path.substr(0, room.size() + 1 + inner.size());
  return !inner.empty() && find(folder) != nullptr ? folder : room;
}

bool cut_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

/// What may be compiled outside this tree, or should not need to know what cannot.
bool public_only(std::string_view path) {
  return path.starts_with("include/") || path.starts_with("drivers/") ||
         path.starts_with("src/model/builtin/");
}

std::string arrow_problem(std::string_view path, const Include& include) {
  const std::string_view room = room_of_file(path);
  const std::string_view other = room_of_include(include.path);
  if (other.empty()) {
    return include.quoted ? in_quotes(include.path) + " is in no room; write \"room/file.hpp\""
                          : "";
  }
  if (!may_include(room, other)) {
    return "room " + in_quotes(room) + " may not include " + in_quotes(include.path) + ": room " +
           in_quotes(other) + " is not below it, and arrows point down only";
  }
  if (public_only(path) && room_of(other) != "drivers" && !include.path.starts_with("hild/")) {
    return in_quotes(include.path) +
           " is not public: model and driver authors see include/hild only";
  }
  return {};
}

// ---- words -------------------------------------------------------------------------------------

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `pattern` stands at `at` as a whole word (or, with a `*`, as the start or end of one).
bool stands_at(std::string_view code, std::size_t at, std::string_view word, bool open_start,
               bool open_end) {
  const std::size_t end = at + word.size();
  return (open_start || at == 0 || !is_word(code[at - 1])) &&
         (open_end || end == code.size() || !is_word(code[end]));
}

template <class Visit>
void each_place(std::string_view code, std::string_view pattern, Visit visit) {
  const bool open_start = pattern.starts_with('*');
  const bool open_end = pattern.ends_with('*');
  if (open_start) pattern.remove_prefix(1);
  if (open_end) pattern.remove_suffix(1);
  for (auto at = code.find(pattern); at != code.npos; at = code.find(pattern, at + 1)) {
    if (stands_at(code, at, pattern, open_start, open_end)) visit(at);
  }
}

bool applies(const Ban& ban, const Folder& room) {
  return room.name != ban.except && (room.real_time || !ban.real_time_only);
}

std::string ban_problem(const Ban& ban, const Folder& room, std::string_view what) {
  return in_quotes(what) + " in room " + in_quotes(room.name) + ": " + std::string(ban.why);
}

// ---- pages -------------------------------------------------------------------------------------

/// The page of the documentation that a literal names as one in the tree's docs/; empty for none.
std::string cited_page(std::string_view literal) {
  constexpr std::string_view folder = "docs/";
  for (auto at = literal.find(folder); at != literal.npos; at = literal.find(folder, at + 1)) {
    std::size_t end = at + folder.size();
    while (end < literal.size() && (is_word(literal[end]) || literal[end] == '-')) ++end;
    if (literal.substr(end).starts_with(".md"))
      return std::string(literal.substr(at, end + 3 - at));
  }
  return {};
}

int line_of(std::string_view source, std::size_t at) {
  return static_cast<int>(1 + std::ranges::count(source.substr(0, at), '\n'));
}

}  // namespace

// ---- the rules ---------------------------------------------------------------------------------

std::string to_string(const Finding& finding) {
  return finding.file + ":" + std::to_string(finding.line) + ": " + finding.problem;
}

std::string_view room_of_file(std::string_view path) {
  if (path.starts_with("drivers/")) return folder_of(path);
  if (cut_prefix(path, "include/hild/") || cut_prefix(path, "src/")) return folder_of(path);
  return {};
}

std::string_view room_of_include(std::string_view path) {
  const bool ours = cut_prefix(path, "hild/");
  const std::string_view folder = folder_of(path);
  return ours || find(folder) != nullptr ? folder : std::string_view();
}

bool may_include(std::string_view room, std::string_view other) {
  if (room == other) return true;
  const Folder* from = find(room);
  if (from == nullptr) return false;
  return std::ranges::any_of(from->below, [&](std::string_view below) {
    return !below.empty() && may_include(below, other);
  });
}

std::string_view room_of(std::string_view folder) { return folder.substr(0, folder.find('/')); }

std::span<const std::string_view> rooms() { return all_rooms; }

std::vector<Arrow> declared_arrows() {
  std::vector<Arrow> arrows;
  for (const Folder& folder : all_folders) {
    for (const std::string_view below : folder.below) {
      if (!below.empty()) arrows.push_back({folder.name, below});
    }
  }
  return arrows;
}

std::vector<Finding> check(std::string_view path, std::string_view source) {
  const std::string file(path);
  const Folder* room = find(room_of_file(path));
  if (room == nullptr) return {{file, 1, "in no room of the table in source_rules.cpp"}};

  std::vector<Finding> findings;
  for (const Include& include : includes_of(source)) {
    if (std::string problem = arrow_problem(path, include); !problem.empty()) {
      findings.push_back({file, include.line, std::move(problem)});
    }
    for (const Ban& ban : banned_headers) {
      if (!include.quoted && include.path == ban.text && applies(ban, *room)) {
        findings.push_back({file, include.line, ban_problem(ban, *room, include.path)});
      }
    }
  }
  for (const Literal& literal : literals_of(source)) {
    if (const std::string page = cited_page(literal.text); !page.empty()) {
      findings.push_back({file, line_of(source, literal.at),
                          in_quotes(page) + " is where no installed hild has it: doc_page() tells "
                                            "where a page is (core/doc_page.hpp)"});
    }
  }
  const std::string code = code_only(source);
  for (const ClassMembers& one : members_of_classes(code)) {
    if (one.members <= most_members) continue;
    findings.push_back({file, one.line,
                        "class " + in_quotes(one.name) + " has " + std::to_string(one.members) +
                            " members: parts of its state want owners, so that it has at most " +
                            std::to_string(most_members)});
  }
  for (const Ban& ban : banned_words) {
    if (!applies(ban, *room)) continue;
    each_place(code, ban.text, [&](std::size_t at) {
      const auto begin = code.begin();
      const auto line = 1 + std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n');
      findings.push_back({file, static_cast<int>(line), ban_problem(ban, *room, ban.text)});
    });
  }
  return findings;
}

std::vector<std::filesystem::path> sources(const std::filesystem::path& top) {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"include/hild", "src", "drivers"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      found.push_back(std::filesystem::relative(entry.path(), top));
    }
  }
  std::ranges::sort(found);
  return found;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace hild::rooms
