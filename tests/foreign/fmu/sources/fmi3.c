/* SPDX-License-Identifier: Apache-2.0 */
/* An FMU of FMI 3.0, for model exchange and co-simulation, around a model of model.h. A model with arrays defines
 * SIZE_OF(m, vr), the number of elements of a real variable, which lie one after the other. */
#include <stdbool.h>
#include <stdint.h>

#include "model.h"

#ifndef SIZE_OF
#define SIZE_OF(m, vr) 1
#endif
#define OUT __attribute__((visibility("default")))

typedef void (*Logger)(void*, int, const char*, const char*);

static void log_text(M* m, const char* text) { ((Logger)m->logger)(m->host, 1, "log", text); }

OUT void* fmi3InstantiateModelExchange(const char* name, const char* token, const char* resources,
                                       bool visible, bool logging, void* host, Logger logger) {
  (void)name, (void)visible, (void)logging;
  if (strcmp(token, "{12345678}") != 0) {
    logger(host, 3, "error", "the token is another one");
    return NULL;
  }
#ifdef ONCE
  if (made++ > 0) return logger(host, 3, "error", "one instance is there"), NULL;
#endif
  M* m = calloc(1, sizeof(M));
  m->host = host;
  m->logger = (void*)logger;
  m->next = -1;
  at_folder(m, resources);
  start(m);
  return m;
}
OUT void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources,
                                      bool visible, bool logging, bool events, bool early,
                                      const unsigned* variables, size_t n, void* host,
                                      Logger logger, void (*update)(void)) {
  (void)events, (void)early, (void)variables, (void)n, (void)update;
  return fmi3InstantiateModelExchange(name, token, resources, visible, logging, host, logger);
}
OUT void fmi3FreeInstance(void* m) { free(m); }
OUT int fmi3EnterConfigurationMode(M* m) { return (void)m, 0; }
OUT int fmi3ExitConfigurationMode(M* m) { return start(m), check(m); }
OUT int fmi3EnterInitializationMode(M* m, bool td, double tol, double t, bool sd, double stop) {
  (void)td, (void)tol, (void)sd, (void)stop;
  m->time = t;
  return 0;
}
OUT int fmi3ExitInitializationMode(M* m) { return (void)m, 0; }
OUT int fmi3Reset(M* m) { return clear(m), 0; }
OUT int fmi3GetFloat64(M* m, const unsigned* vr, size_t n, double* v, size_t nv) {
  size_t at = 0;
  derivatives(m);
  for (size_t k = 0; k < n; ++k) {
    for (size_t e = 0; e < (size_t)SIZE_OF(m, vr[k]); ++e) v[at++] = m->r[vr[k] + e];
  }
  return at == nv ? 0 : 3;
}
OUT int fmi3SetFloat64(M* m, const unsigned* vr, size_t n, const double* v, size_t nv) {
  size_t at = 0;
  for (size_t k = 0; k < n; ++k) {
    for (size_t e = 0; e < (size_t)SIZE_OF(m, vr[k]); ++e) m->r[vr[k] + e] = v[at++];
  }
  return at == nv ? 0 : 3;
}
/* Of all other types a variable is m->FIELD[vr - FIRST], whatever its width: no two have one reference. */
#define ACCESS(NAME, T, FIELD, FIRST)                                                               \
  OUT int fmi3Get##NAME(M* m, const unsigned* vr, size_t n, T* v, size_t nv) {               \
    for (size_t k = 0; k < n; ++k) v[k] = (T)m->FIELD[vr[k] - FIRST];                                \
    return n == nv ? 0 : 3;                                                                  \
  }                                                                                          \
  OUT int fmi3Set##NAME(M* m, const unsigned* vr, size_t n, const T* v, size_t nv) {         \
    for (size_t k = 0; k < n; ++k) m->FIELD[vr[k] - FIRST] = v[k];                                   \
    return n == nv ? 0 : 3;                                                                  \
  }
ACCESS(Float32, float, r, 0)
ACCESS(Int8, int8_t, i, 100)
ACCESS(UInt8, uint8_t, i, 100)
ACCESS(Int16, int16_t, i, 100)
ACCESS(UInt16, uint16_t, i, 100)
ACCESS(Int32, int32_t, i, 100)
ACCESS(UInt32, uint32_t, i, 100)
ACCESS(Int64, int64_t, i, 100)
ACCESS(UInt64, uint64_t, i, 100)
ACCESS(Boolean, bool, b, 200)
#ifndef STATELESS
OUT int fmi3GetFMUState(M* m, void** state) { return get_state(m, state); }
OUT int fmi3SetFMUState(M* m, void* state) { return set_state(m, state); }
OUT int fmi3FreeFMUState(M* m, void** state) { return (void)m, free_state(state); }
OUT int fmi3SerializedFMUStateSize(M* m, void* state, size_t* size) {
  (void)m, (void)state;
  return *size = sizeof(State), 0;
}
OUT int fmi3SerializeFMUState(M* m, void* state, char* bytes, size_t size) {
  return (void)m, serialize(state, bytes, size);
}
OUT int fmi3DeserializeFMUState(M* m, const char* bytes, size_t size, void** state) {
  return (void)m, deserialize(bytes, size, state);
}
#endif
OUT int fmi3EnterEventMode(M* m) { return (void)m, 0; }
OUT int fmi3UpdateDiscreteStates(M* m, bool* again, bool* terminate, bool* nominals, bool* values,
                                 bool* timed, double* next) {
  m->again = m->values_changed = 0;
  discrete(m);
  *again = m->again;
  *terminate = ENDS_UPDATE(m);
  *nominals = false;
  *values = m->values_changed;
  *timed = m->next >= 0;
  *next = m->next;
  return 0;
}
OUT int fmi3EnterContinuousTimeMode(M* m) { return (void)m, 0; }
OUT int fmi3CompletedIntegratorStep(M* m, bool no_set, bool* event, bool* terminate) {
  (void)no_set;
  *event = WANTS_EVENT(m);
  *terminate = ENDS_STEP(m);
  return 0;
}
OUT int fmi3SetTime(M* m, double t) { return m->time = t, TOLD_TIME(m), 0; }
OUT int fmi3SetContinuousStates(M* m, const double* x, size_t n) {
  for (size_t k = 0; k < n; ++k) m->r[k] = x[k];
  return 0;
}
OUT int fmi3GetContinuousStates(M* m, double* x, size_t n) {
  for (size_t k = 0; k < n; ++k) x[k] = m->r[k];
  return 0;
}
OUT int fmi3GetContinuousStateDerivatives(M* m, double* dx, size_t n) {
  derivatives(m);
  for (size_t k = 0; k < n; ++k) dx[k] = m->r[NX + k];
  return check(m);
}
OUT int fmi3GetNumberOfContinuousStates(M* m, size_t* n) { return *n = (size_t)STATES(m), 0; }
OUT int fmi3GetNumberOfEventIndicators(M* m, size_t* n) { return (void)m, *n = NZ, 0; }
#ifdef SLOPES
OUT int fmi3GetDirectionalDerivative(M* m, const unsigned* of, size_t n, const unsigned* to,
                                     size_t k, const double* seed, size_t ns, double* out,
                                     size_t no) {
  return slopes(m, of, n, to, k, seed, out), n == no && k == ns ? 0 : 3;
}
#endif
OUT int fmi3GetEventIndicators(M* m, double* z, size_t n) { return (void)n, indicators(m, z), 0; }
OUT int fmi3GetNominalsOfContinuousStates(M* m, double* x, size_t n) {
  (void)m;
  for (size_t k = 0; k < n; ++k) x[k] = 1;
  return 0;
}
/* Returns early where 2.0 discards. */
OUT int fmi3DoStep(M* m, double t, double h, bool no_set, bool* event, bool* terminate, bool* early,
                   double* last) {
  (void)no_set;
  m->time = t;
  const int status = advance(m, h);
  *event = false;
  *terminate = ENDS_STEP(m);
  *early = status == 2;
  *last = m->time;
  return status == 2 ? 0 : status;
}
