// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/gateway/bridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

#include "drivers/dds/configuration.hpp"
#include "drivers/dds/security.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/confined/process.hpp"
#include "hild/rt/tai.hpp"

namespace hild::dds {
namespace {

constexpr dds_duration_t lease = DDS_SECS(3);
constexpr int most_strangers = 256;  // nodes that a reader keeps apart

// ---- quality of service ------------------------------------------------------------------------

struct DeleteQos {
  void operator()(dds_qos_t* qos) const noexcept { dds_delete_qos(qos); }
};
using Qos = std::unique_ptr<dds_qos_t, DeleteQos>;

struct DeleteListener {
  void operator()(dds_listener_t* listener) const noexcept { dds_delete_listener(listener); }
};
using Callbacks = std::unique_ptr<dds_listener_t, DeleteListener>;

/// Of both ends of a topic, so that they match; a reader asks for no more, so that others may offer
/// less. Ownership is shared: of two nodes of one name the later run is taken, by its plan.
Qos qos_of(dds_reliability_kind_t reliability, dds_durability_kind_t durability) {
  Qos qos(dds_create_qos());
  dds_qset_reliability(qos.get(), reliability, DDS_SECS(1));
  dds_qset_durability(qos.get(), durability);
  dds_qset_history(qos.get(), DDS_HISTORY_KEEP_LAST, 1);
  dds_qset_latency_budget(qos.get(), 0);
  return qos;
}
Qos qos_of_signals() { return qos_of(DDS_RELIABILITY_BEST_EFFORT, DDS_DURABILITY_VOLATILE); }
Qos qos_of_plans() { return qos_of(DDS_RELIABILITY_RELIABLE, DDS_DURABILITY_TRANSIENT_LOCAL); }
Qos qos_of_health() { return qos_of(DDS_RELIABILITY_RELIABLE, DDS_DURABILITY_VOLATILE); }

/// How soon it is noticed that this one has fallen silent.
Qos for_writing(Qos qos) {
  dds_qset_liveliness(qos.get(), DDS_LIVELINESS_AUTOMATIC, lease);
  return qos;
}
/// What comes of this participant itself is not looked at, and memory is bounded.
Qos for_reading(Qos qos, int samples = 1) {
  dds_qset_ignorelocal(qos.get(), DDS_IGNORELOCAL_PARTICIPANT);
  dds_qset_history(qos.get(), DDS_HISTORY_KEEP_LAST, samples);
  dds_qset_resource_limits(qos.get(), DDS_LENGTH_UNLIMITED, most_strangers, samples);
  return qos;
}

// ---- entities ----------------------------------------------------------------------------------

thread_local std::string last_complaint;  // of Cyclone's, while entities are made here

void keep_complaint(void* /*unused*/, const dds_log_data_t* said) {
  last_complaint = confined::plain({said->message, std::strlen(said->message)});
  while (!last_complaint.empty() && last_complaint.back() == '\n') last_complaint.pop_back();
}
void ignore_complaint(void* /*unused*/, const dds_log_data_t* /*said*/) {}

/// What was made; the error says what was to be made.
Result<dds_entity_t> made(dds_entity_t entity, std::string_view what) {
  if (entity > 0) return entity;
  return fail("Cyclone DDS makes no {}: {}{}{}", what, dds_strretcode(entity),
              last_complaint.empty() ? "" : ", ", last_complaint);
}

/// Keeps the first error of a few steps.
class Steps {
 public:
  void add(dds_entity_t& to, dds_entity_t entity, std::string_view what) {
    if (!result_) return;
    auto one = made(entity, what);
    if (one) {
      to = *one;
    } else {
      result_ = tl::make_unexpected(one.error());
    }
  }
  [[nodiscard]] Result<void> take() { return std::move(result_); }

 private:
  Result<void> result_;
};

// ---- names -------------------------------------------------------------------------------------

template <std::size_t size>
void put_name(char (&to)[size], const Name& name) noexcept {
  static_assert(size == Name::capacity + 1);
  std::memcpy(to, name.c_str(), size);
}

/// What comes ends within its array, but may be of any characters.
template <std::size_t size>
Name name_of(const char (&from)[size]) {
  return Name(confined::plain({from, ::strnlen(from, size)}));
}

// ---- what came ---------------------------------------------------------------------------------

/// Samples that are lent by a reader, one at a time, until there are no more.
template <class Sample, class Look>
void each_sample(dds_entity_t reader, Look look) {
  void* lent = nullptr;
  dds_sample_info_t info;
  while (dds_take(reader, &lent, &info, 1, 1) > 0) {
    look(*static_cast<const Sample*>(lent), info);
    dds_return_loan(reader, &lent, 1);
    lent = nullptr;
  }
}

template <class Sequence>
auto contents_of(const Sequence& sequence) {
  return std::span(sequence._buffer, sequence._buffer == nullptr ? 0 : sequence._length);
}

PeerPlan plan_of(const hild_Plan& came) {
  PeerPlan plan{.run = came.run, .plan = came.plan_number, .utc_behind_tai = came.utc_behind_tai};
  for (const hild_Signal& s : contents_of(came.signals)) {
    plan.signals.push_back({name_of(s.name), name_of(s.unit)});
  }
  return plan;
}

}  // namespace

Bridge::Bridge(GatewayTask task, const Page& page)
    : task_(std::move(task)),
      head_(&page.head()),
      run_(static_cast<std::uint64_t>((rt::monotonic_now() + rt::kernel_tai().read().ahead).ns)),
      plan_(plan_number(task_.outputs)),
      utc_behind_tai_(rt::utc_behind_tai()),
      outgoing_(page, task_.outputs.size()),
      own_words_(page.own_words()),
      peers_(page) {
  const auto images = page.images(task_.image_sizes());
  for (std::size_t n = 0; n < images.size(); ++n) {
    inboxes_.emplace_back(task_.inputs[n], images[n], head_->counts);
  }
}

Result<std::unique_ptr<Bridge>> Bridge::make(GatewayTask task, const Page& page) {
  auto bridge = std::unique_ptr<Bridge>(new Bridge(std::move(task), page));
  dds_set_log_sink(keep_complaint, nullptr);
  auto done = bridge->join();
  if (done) done = bridge->make_readers();
  if (done) done = bridge->make_writers();
  if (done) done = bridge->tell_plan();
  dds_set_log_sink(ignore_complaint, nullptr);
  if (!done) return tl::make_unexpected(done.error());
  return bridge;
}

Bridge::~Bridge() {
  if (dds_.domain > 0) dds_delete(dds_.domain);
}

Result<void> Bridge::join() {
  const auto domain = static_cast<dds_domainid_t>(task_.domain);
  const Qos partition(dds_create_qos());
  dds_qset_partition1(partition.get(), task_.system.c_str());
  Steps steps;
  steps.add(dds_.domain, dds_create_domain(domain, domain_configuration(task_).c_str()), "domain");
  if (auto done = steps.take(); !done) return done;
  const Qos rights(dds_create_qos());
  if (!task_.security.empty()) {
    const auto properties = security_properties(task_.security);
    if (!properties) return tl::make_unexpected(properties.error());
    for (const auto& [name, value] : *properties) {
      dds_qset_prop(rights.get(), name.c_str(), value.c_str());
    }
  }
  steps.add(dds_.participant, dds_create_participant(domain, rights.get(), nullptr),
            fmt::format("participant of domain {} at the interface {}", task_.domain,
                        task_.interface.view()));
  if (auto done = steps.take(); !done) return done;
  steps.add(dds_.publisher, dds_create_publisher(dds_.participant, partition.get(), nullptr),
            "publisher");
  steps.add(dds_.subscriber, dds_create_subscriber(dds_.participant, partition.get(), nullptr),
            "subscriber");
  return steps.take();
}

// ---- sending -----------------------------------------------------------------------------------

Result<void> Bridge::make_writers() {
  const auto topic = [&](const dds_topic_descriptor_t& type, const char* name) {
    return dds_create_topic(dds_.participant, &type, name, nullptr, nullptr);
  };
  const Callbacks callbacks(dds_create_listener(this));
  dds_lset_publication_matched(
      callbacks.get(), [](dds_entity_t, const dds_publication_matched_status_t status, void* arg) {
        if (status.current_count_change <= 0) return;
        auto& self = *static_cast<Bridge*>(arg);
        self.outgoing_.readers.add(1);
        self.head_->written.ring();
      });
  Steps steps;
  steps.add(dds_.plan_out,
            dds_create_writer(dds_.publisher, topic(hild_Plan_desc, "hild_plan"),
                              for_writing(qos_of_plans()).get(), nullptr),
            "writer of plans");
  steps.add(dds_.health_out,
            dds_create_writer(dds_.publisher, topic(hild_Health_desc, "hild_health"),
                              for_writing(qos_of_health()).get(), nullptr),
            "writer of health");
  if (!task_.outputs.empty()) {
    steps.add(dds_.signals_out,
              dds_create_writer(dds_.publisher, topic(hild_Signals_desc, "hild_signals"),
                                for_writing(qos_of_signals()).get(), callbacks.get()),
              "writer of signals");
  }
  return steps.take();
}

Result<void> Bridge::tell_plan() {
  std::vector<hild_Signal> signals(task_.outputs.size());
  for (std::size_t i = 0; i < signals.size(); ++i) {
    put_name(signals[i].name, task_.outputs[i].name);
    put_name(signals[i].unit, task_.outputs[i].unit);
  }
  hild_Plan plan{};
  put_name(plan.node, task_.node);
  plan.run = run_;
  plan.plan_number = plan_;
  plan.utc_behind_tai = utc_behind_tai_.get();
  plan.signals._buffer = signals.data();
  plan.signals._length = plan.signals._maximum = static_cast<std::uint32_t>(signals.size());
  const dds_return_t done = dds_write(dds_.plan_out, &plan);
  if (done < 0) return fail("Cyclone DDS does not take the plan: {}", dds_strretcode(done));
  return {};
}

void Bridge::send() {
  if (dds_.signals_out <= 0 || outgoing_.slot.writes() == 0) return;
  if (!outgoing_.slot.read(outgoing_.image, 1000)) return;  // being written: there will be a ring
  const std::int64_t number = as_number(outgoing_.image[0]);
  const std::int64_t readers = outgoing_.readers.get();
  if (number == outgoing_.number && readers == outgoing_.met) return;
  if (number > outgoing_.number + 1) head_->counts.skipped.add(number - outgoing_.number - 1);
  outgoing_.number = number;
  outgoing_.met = readers;
  write(outgoing_.image);
}

void Bridge::write(std::span<const double> image) {
  hild_Signals sample{};
  put_name(sample.node, task_.node);
  sample.run = run_;
  sample.plan_number = plan_;
  sample.number = static_cast<std::uint64_t>(as_number(image[0]));
  sample.origin = as_number(image[1]) + rt::kernel_tai().read().ahead.ns;
  const auto values = image.subspan(stamps);
  sample.values._buffer = const_cast<double*>(values.data());  // NOLINT: only read by DDS
  sample.values._length = sample.values._maximum = static_cast<std::uint32_t>(values.size());
  if (dds_write(dds_.signals_out, &sample) < 0) return head_->counts.unsent.add();
  head_->counts.sent.add();
  head_->left.set(as_number(image[0]));
}

// Counts alone are none.
bool Bridge::has_news() {
  PackedWords packed{};
  if (own_words_.writes() == 0 || !own_words_.read(packed, 1000)) return false;
  io::NodeWords words = unpacked(packed);
  const io::NodeWords before = std::exchange(words_, words);
  words.frame = before.frame;
  words.overruns = before.overruns;
  return words != before;
}

void Bridge::tell_health() {
  if (const std::int64_t behind = rt::utc_behind_tai(); behind != utc_behind_tai_.get()) {
    utc_behind_tai_.set(behind);
    static_cast<void>(tell_plan());
  }
  hild_Health health{};
  put_name(health.node, task_.node);
  health.run = run_;
  health.sent = head_->counts.sent.get();
  health.received = head_->counts.received.get();
  health.lost = head_->counts.lost.get();
  health.waits = words_.waits;
  health.armed = words_.armed;
  health.may_arm = words_.may_arm;
  health.first_tick = words_.first_tick;
  health.frame = words_.frame;
  health.overruns = words_.overruns;
  health.ask = static_cast<std::uint8_t>(words_.ask);
  health.number = words_.number;
  health.answer_to = words_.answer_to;
  health.yes = words_.yes;
  static_cast<void>(dds_write(dds_.health_out, &health));  // the next one follows
}

// ---- receiving ---------------------------------------------------------------------------------

Result<void> Bridge::make_readers() {
  const auto topic = [&](const dds_topic_descriptor_t& type, const char* name) {
    return dds_create_topic(dds_.participant, &type, name, nullptr, nullptr);
  };
  const Callbacks on_plan(dds_create_listener(this));
  dds_lset_data_available(on_plan.get(), [](dds_entity_t reader, void* arg) {
    static_cast<Bridge*>(arg)->take_plans(reader);
  });
  dds_lset_subscription_matched(
      on_plan.get(), [](dds_entity_t, const dds_subscription_matched_status_t status, void* arg) {
        if (status.current_count_change >= 0) return;
        static_cast<Bridge*>(arg)->lose_plans_of(status.last_publication_handle);
      });
  const Callbacks on_sample(dds_create_listener(this));
  dds_lset_data_available(on_sample.get(), [](dds_entity_t reader, void* arg) {
    static_cast<Bridge*>(arg)->take_samples(reader);
  });
  const Callbacks on_health(dds_create_listener(this));
  dds_lset_liveliness_changed(
      on_health.get(), [](dds_entity_t, const dds_liveliness_changed_status_t status, void* arg) {
        if (status.alive_count_change >= 0) return;
        auto& self = *static_cast<Bridge*>(arg);
        const std::lock_guard lock(self.mutex_);
        self.head_->counts.nodes_gone.add(-status.alive_count_change);
        self.peers_.lose_writer(status.last_publication_handle);
      });
  dds_lset_data_available(on_health.get(), [](dds_entity_t reader, void* arg) {
    static_cast<Bridge*>(arg)->take_health(reader);
  });
  Steps steps;
  steps.add(dds_.health_in,
            dds_create_reader(dds_.subscriber, topic(hild_Health_desc, "hild_health"),
                              for_reading(qos_of_health()).get(), on_health.get()),
            "reader of health");
  if (inboxes_.empty()) return steps.take();
  steps.add(dds_.plan_in,
            dds_create_reader(dds_.subscriber, topic(hild_Plan_desc, "hild_plan"),
                              for_reading(qos_of_plans(), static_cast<int>(most_plans)).get(),
                              on_plan.get()),
            "reader of plans");
  steps.add(dds_.signals_in,
            dds_create_reader(dds_.subscriber, topic(hild_Signals_desc, "hild_signals"),
                              for_reading(qos_of_signals()).get(), on_sample.get()),
            "reader of signals");
  return steps.take();
}

Inbox* Bridge::inbox_of(const char* node) noexcept {
  const auto found = std::ranges::find(inboxes_, std::string_view(node), &Inbox::node);
  return found == inboxes_.end() ? nullptr : &*found;
}

void Bridge::take_plans(dds_entity_t reader) {
  const std::lock_guard lock(mutex_);
  each_sample<hild_Plan>(reader, [this](const hild_Plan& came, const dds_sample_info_t& info) {
    Inbox* const inbox = info.valid_data ? inbox_of(came.node) : nullptr;
    if (inbox == nullptr) return;
    tell(inbox->take_plan(plan_of(came), info.publication_handle, utc_behind_tai_.get()));
  });
}

// Not by the state of the instance, which lives as long as any run in the name of the node.
void Bridge::lose_plans_of(std::uint64_t writer) {
  const std::lock_guard lock(mutex_);
  for (Inbox& inbox : inboxes_) tell(inbox.lose_writer(writer, utc_behind_tai_.get()));
}

void Bridge::take_samples(dds_entity_t reader) {
  const std::lock_guard lock(mutex_);
  each_sample<hild_Signals>(
      reader, [this](const hild_Signals& came, const dds_sample_info_t& info) {
        Inbox* const inbox = info.valid_data ? inbox_of(came.node) : nullptr;
        if (inbox == nullptr) return;
        const PeerSample sample{.run = came.run,
                                .plan = came.plan_number,
                                .number = came.number,
                                .origin = came.origin,
                                .values = contents_of(came.values)};
        inbox->take_sample(
            sample, {rt::monotonic_now(), rt::kernel_tai().read().ahead, utc_behind_tai_.get()});
      });
}

void Bridge::take_health(dds_entity_t reader) {
  const std::lock_guard lock(mutex_);
  each_sample<hild_Health>(reader, [this](const hild_Health& came, const dds_sample_info_t& info) {
    if (!info.valid_data) return;
    const Name node = name_of(came.node);
    peers_.heard(node.view(), came.run, info.publication_handle,
                 {.waits = came.waits,
                  .armed = came.armed,
                  .may_arm = came.may_arm,
                  .first_tick = came.first_tick,
                  .frame = came.frame,
                  .overruns = came.overruns,
                  .ask = ask_of(came.ask),
                  .number = came.number,
                  .answer_to = came.answer_to,
                  .yes = came.yes});
  });
}

void Bridge::tell(const std::string& words) const {
  if (words.empty()) return;
  std::fprintf(stderr, "hild: device %s: %s\n", task_.device.c_str(), words.c_str());
}

}  // namespace hild::dds
