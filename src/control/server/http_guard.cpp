// SPDX-License-Identifier: Apache-2.0
#include "control/server/http_guard.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string.hpp>
#include <boost/beast/core/string.hpp>

namespace hild::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

std::string_view field(const HttpRequest& request, http::field name) {
  const auto value = request[name];
  return {value.data(), value.size()};
}

bool same(std::string_view a, std::string_view b) {
  return beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}

/// "localhost:8080" without its port, "[::1]:8080" also without its brackets.
std::string_view host_alone(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

/// In a time that tells nothing of how much of it was right.
bool is_token(std::string_view given, std::string_view token) {
  unsigned differs = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differs |=
        static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i % token.size()]);
  }
  return differs == 0;
}

}  // namespace

std::vector<std::string> own_names(const std::string& address, bool loopback) {
  std::vector<std::string> names{address};
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0') {
    names.emplace_back(name.data());
    names.push_back(names.back() + ".local");  // as multicast DNS has it
  }
  if (loopback) names.emplace_back("localhost");
  return names;
}

bool carries_token(const HttpRequest& request, std::string_view token) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view given = field(request, http::field::authorization);
  if (given.size() > scheme.size() && same(given.substr(0, scheme.size()), scheme)) {
    return is_token(given.substr(scheme.size()), token);
  }
  constexpr std::string_view prefix = "bearer.";
  return path_of(request) == "/ws" &&
         std::ranges::any_of(subprotocols(request), [&](std::string_view offered) {
           return offered.starts_with(prefix) && is_token(offered.substr(prefix.size()), token);
         });
}

std::optional<std::string> role_of(const HttpRequest& request,
                                   const std::vector<config::Role>& roles) {
  for (const config::Role& role : roles) {
    if (!role.token.empty() && carries_token(request, role.token)) return role.name;
  }
  return std::nullopt;
}

std::optional<HttpReply> refusal_of(const HttpRequest& request,
                                    const std::vector<std::string>& names, std::string_view token) {
  const std::string_view host = field(request, http::field::host);
  const auto is_host = [&](const std::string& name) { return same(host_alone(host), name); };
  if (std::ranges::none_of(names, is_host)) {
    return HttpReply{http::status::forbidden,
                     fmt::format("Host: expected one of {}\n", fmt::join(names, ", "))};
  }
  // A browser tells which page asks; programs do not.
  const bool from_page = request.find(http::field::origin) != request.end();
  const std::string_view origin = field(request, http::field::origin);
  if (from_page && !same(origin, fmt::format("http://{}", host)) &&
      !same(origin, fmt::format("https://{}", host))) {
    return HttpReply{http::status::forbidden,
                     fmt::format("Origin: expected http://{}, the page of this server\n", host)};
  }
  const std::string_view path = path_of(request);
  const bool open = path != "/rpc" && path != "/ws" && path != "/metrics";
  if (token.empty() || open || carries_token(request, token)) return std::nullopt;
  return HttpReply{
      http::status::unauthorized,
      "expected Authorization: Bearer TOKEN, that of control.token_file or of a role\n",
      {{"WWW-Authenticate", "Bearer realm=\"hild\""}}};
}

std::vector<std::string> subprotocols(const HttpRequest& request) {
  std::vector<std::string> all;
  boost::split(all, field(request, http::field::sec_websocket_protocol), boost::is_any_of(","));
  for (std::string& one : all) boost::trim_if(one, boost::is_any_of(" \t"));
  std::erase(all, "");
  return all;
}

}  // namespace hild::server
