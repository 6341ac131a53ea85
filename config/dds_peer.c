// SPDX-License-Identifier: Apache-2.0
// A node that is no hild: a controller of the motor of dds_motor.yaml's kind, in plain C, with
// nothing but Cyclone DDS and the description of what nodes tell each other. It reads one signal of
// another node, and sends a proportional correction.
//
//   idlc hild_nodes.idl && cc -o dds_peer dds_peer.c hild_nodes.c -lddsc
//   ./dds_peer DOMAIN SYSTEM NODE READS-NODE READS-SIGNAL
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dds/dds.h"
#include "hild_nodes.h"

static volatile sig_atomic_t ends = 0;
static void end(int signal) { ends = signal; }

static int64_t tai(void) {
  struct timespec now;
  clock_gettime(CLOCK_TAI, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Seconds by which UTC is behind TAI, as the kernel was told: 0 where nobody did. */
static int64_t utc_behind_tai(void) {
  struct timespec utc;
  clock_gettime(CLOCK_REALTIME, &utc);
  return (tai() - ((int64_t)utc.tv_sec * 1000000000 + utc.tv_nsec) + 500000000) / 1000000000;
}

/* What both ends of a topic have: hild_nodes.idl. */
static dds_qos_t* qos_of(dds_reliability_kind_t reliability, dds_durability_kind_t durability) {
  dds_qos_t* qos = dds_create_qos();
  dds_qset_reliability(qos, reliability, DDS_SECS(1));
  dds_qset_durability(qos, durability);
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
  return qos;
}

static dds_entity_t topic(dds_entity_t participant, const dds_topic_descriptor_t* type,
                          const char* name) {
  return dds_create_topic(participant, type, name, NULL, NULL);
}

/* Which value of its samples the signal is; -1: it does not send it. */
static int place_of(const hild_Plan* plan, const char* signal) {
  for (uint32_t i = 0; i < plan->signals._length; ++i) {
    if (strcmp(plan->signals._buffer[i].name, signal) == 0) return (int)i;
  }
  return -1;
}

int main(int argc, char** argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: dds_peer DOMAIN SYSTEM NODE READS-NODE READS-SIGNAL\n");
    return 1;
  }
  const char* const reads_node = argv[4];
  const char* const reads_signal = argv[5];
  signal(SIGTERM, end);
  signal(SIGINT, end);

  const dds_entity_t participant =
      dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL);
  if (participant < 0) {
    fprintf(stderr, "dds_peer: %s\n", dds_strretcode(participant));
    return 1;
  }
  dds_qos_t* const partition = dds_create_qos();
  dds_qset_partition1(partition, argv[2]);
  const dds_entity_t publisher = dds_create_publisher(participant, partition, NULL);
  const dds_entity_t subscriber = dds_create_subscriber(participant, partition, NULL);
  dds_qos_t* const of_plans = qos_of(DDS_RELIABILITY_RELIABLE, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_qos_t* const of_signals = qos_of(DDS_RELIABILITY_BEST_EFFORT, DDS_DURABILITY_VOLATILE);
  const dds_entity_t plans = topic(participant, &hild_Plan_desc, "hild_plan");
  const dds_entity_t signals = topic(participant, &hild_Signals_desc, "hild_signals");
  const dds_entity_t plan_in = dds_create_reader(subscriber, plans, of_plans, NULL);
  const dds_entity_t signals_in = dds_create_reader(subscriber, signals, of_signals, NULL);
  const dds_entity_t plan_out = dds_create_writer(publisher, plans, of_plans, NULL);
  const dds_entity_t signals_out = dds_create_writer(publisher, signals, of_signals, NULL);

  /* Once a run: what it sends. */
  hild_Signal sent = {.name = "voltage", .unit = "V"};
  hild_Plan mine = {.run = (uint64_t)tai(), .plan_number = 1, .utc_behind_tai = utc_behind_tai()};
  strncpy(mine.node, argv[3], sizeof mine.node - 1);
  mine.signals = (dds_sequence_hild_Signal){._maximum = 1, ._length = 1, ._buffer = &sent};
  dds_write(plan_out, &mine);

  double voltage = 0;
  hild_Signals answer = {.run = mine.run, .plan_number = mine.plan_number};
  strncpy(answer.node, argv[3], sizeof answer.node - 1);
  answer.values = (dds_sequence_double){._maximum = 1, ._length = 1, ._buffer = &voltage};

  const dds_entity_t waits = dds_create_waitset(participant);
  const dds_entity_t new_samples = dds_create_readcondition(signals_in, DDS_ANY_STATE);
  dds_waitset_attach(waits, new_samples, 0);
  int place = -1;
  uint64_t run = 0;
  while (!ends) {
    dds_waitset_wait(waits, NULL, 0, DDS_MSECS(100));
    void* came = NULL;
    dds_sample_info_t info;
    while (dds_take(plan_in, &came, &info, 1, 1) > 0) {
      const hild_Plan* const plan = came;
      if (info.valid_data && strcmp(plan->node, reads_node) == 0 && plan->run >= run) {
        run = plan->run;
        place = place_of(plan, reads_signal);
      }
      dds_return_loan(plan_in, &came, 1);
      came = NULL;
    }
    while (dds_take(signals_in, &came, &info, 1, 1) > 0) {
      const hild_Signals* const sample = came;
      const bool known = info.valid_data && strcmp(sample->node, reads_node) == 0 &&
                         sample->run == run && place >= 0 &&
                         (uint32_t)place < sample->values._length;
      if (known) {
        voltage = 0.1 * (100.0 - sample->values._buffer[place]);
        answer.number += 1;
        answer.origin = tai();
        dds_write(signals_out, &answer);
      }
      dds_return_loan(signals_in, &came, 1);
      came = NULL;
    }
  }
  dds_delete(participant);
  return 0;
}
