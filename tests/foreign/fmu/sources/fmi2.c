/* SPDX-License-Identifier: Apache-2.0 */
/* An FMU of FMI 2.0, for model exchange and co-simulation, around a model of model.h. */
#include "model.h"

typedef void (*Logger)(void*, const char*, int, const char*, const char*, ...);
typedef struct {
  Logger logger;
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
} Callbacks;
typedef struct {
  int again, terminate, nominals, values, timed;
  double next;
} EventInfo;

#define OUT __attribute__((visibility("default")))

static void log_text(M* m, const char* text) {
  ((Logger)m->logger)(m->host, "test", 1, "log", "%s", text);
}

OUT void* fmi2Instantiate(const char* name, int kind, const char* guid, const char* resources,
                          const Callbacks* c, int visible, int logging) {
  (void)name, (void)visible, (void)logging;
  (void)kind;
  if (strcmp(guid, "{12345678}") != 0) {
    c->logger(c->environment, "test", 3, "error", "the guid is %s", guid);
    return NULL;
  }
#ifdef ONCE
  if (made++ > 0) return c->logger(c->environment, "test", 3, "error", "one instance is there"), NULL;
#endif
  M* m = c->allocate(1, sizeof(M));
  m->host = c->environment;
  m->logger = (void*)c->logger;
  m->next = -1;
  at_folder(m, resources != NULL && strncmp(resources, "file://", 7) == 0 ? resources + 7 : NULL);
  start(m);
  return m;
}
OUT void fmi2FreeInstance(void* m) { free(m); }
OUT int fmi2SetupExperiment(M* m, int td, double tol, double t, int sd, double stop) {
  (void)td, (void)tol, (void)sd, (void)stop;
  m->time = t;
  return 0;
}
OUT int fmi2EnterInitializationMode(M* m) { return (void)m, 0; }
OUT int fmi2ExitInitializationMode(M* m) { return (void)m, 0; }
OUT int fmi2Reset(M* m) { return clear(m), 0; }
OUT int fmi2GetReal(M* m, const unsigned* vr, size_t n, double* v) {
  derivatives(m);
  for (size_t k = 0; k < n; ++k) v[k] = m->r[vr[k]];
  return 0;
}
OUT int fmi2GetInteger(M* m, const unsigned* vr, size_t n, int* v) {
  for (size_t k = 0; k < n; ++k) v[k] = (int)m->i[vr[k]];
  return 0;
}
OUT int fmi2GetBoolean(M* m, const unsigned* vr, size_t n, int* v) {
  for (size_t k = 0; k < n; ++k) v[k] = m->b[vr[k]];
  return 0;
}
OUT int fmi2SetReal(M* m, const unsigned* vr, size_t n, const double* v) {
  for (size_t k = 0; k < n; ++k) m->r[vr[k]] = v[k];
  return 0;
}
OUT int fmi2SetInteger(M* m, const unsigned* vr, size_t n, const int* v) {
  for (size_t k = 0; k < n; ++k) m->i[vr[k]] = v[k];
  return 0;
}
OUT int fmi2SetBoolean(M* m, const unsigned* vr, size_t n, const int* v) {
  for (size_t k = 0; k < n; ++k) m->b[vr[k]] = v[k] != 0;
  return 0;
}
#ifndef STATELESS
OUT int fmi2GetFMUstate(M* m, void** state) { return get_state(m, state); }
OUT int fmi2SetFMUstate(M* m, void* state) { return set_state(m, state); }
OUT int fmi2FreeFMUstate(M* m, void** state) { return (void)m, free_state(state); }
OUT int fmi2SerializedFMUstateSize(M* m, void* state, size_t* size) {
  (void)m, (void)state;
  return *size = sizeof(State), 0;
}
OUT int fmi2SerializeFMUstate(M* m, void* state, char* bytes, size_t size) {
  return (void)m, serialize(state, bytes, size);
}
OUT int fmi2DeSerializeFMUstate(M* m, const char* bytes, size_t size, void** state) {
  return (void)m, deserialize(bytes, size, state);
}
#endif
OUT int fmi2EnterEventMode(M* m) { return (void)m, 0; }
OUT int fmi2NewDiscreteStates(M* m, EventInfo* e) {
  m->again = m->values_changed = 0;
  discrete(m);
  *e = (EventInfo){m->again, ENDS_UPDATE(m), 0, m->values_changed, m->next >= 0, m->next};
  return 0;
}
OUT int fmi2EnterContinuousTimeMode(M* m) { return (void)m, 0; }
OUT int fmi2CompletedIntegratorStep(M* m, int no_set, int* event, int* terminate) {
  (void)no_set;
  *event = WANTS_EVENT(m);
  *terminate = ENDS_STEP(m);
  return 0;
}
OUT int fmi2SetTime(M* m, double t) { return m->time = t, TOLD_TIME(m), 0; }
OUT int fmi2SetContinuousStates(M* m, const double* x, size_t n) {
  for (size_t k = 0; k < n; ++k) m->r[k] = x[k];
  return 0;
}
OUT int fmi2GetContinuousStates(M* m, double* x, size_t n) {
  for (size_t k = 0; k < n; ++k) x[k] = m->r[k];
  return 0;
}
OUT int fmi2GetDerivatives(M* m, double* dx, size_t n) {
  derivatives(m);
  for (size_t k = 0; k < n; ++k) dx[k] = m->r[NX + k];
  return check(m);
}
#ifdef SLOPES
OUT int fmi2GetDirectionalDerivative(M* m, const unsigned* of, size_t n, const unsigned* to,
                                     size_t k, const double* seed, double* out) {
  return slopes(m, of, n, to, k, seed, out), 0;
}
#endif
OUT int fmi2GetEventIndicators(M* m, double* z, size_t n) { return (void)n, indicators(m, z), 0; }
OUT int fmi2GetNominalsOfContinuousStates(M* m, double* x, size_t n) {
  (void)m;
  for (size_t k = 0; k < n; ++k) x[k] = 1;
  return 0;
}
OUT int fmi2DoStep(M* m, double t, double h, int no_set) {
  (void)no_set;
  m->time = t;
  return ENDS_STEP(m) ? 2 : advance(m, h);
}
OUT int fmi2GetBooleanStatus(M* m, int kind, int* value) {
  if (kind != 3) return 3;
  return *value = ENDS_STEP(m), 0;
}
OUT int fmi2GetRealStatus(M* m, int kind, double* value) {
  if (kind != 2) return 3;
  *value = m->time;
  return 0;
}
