/* Effects of the stores that threads share: rules and functions of effects use their store. */
#include "report.h"
#include "threads.h"

enum { STEPS_OF_AN_EFFECT = 32 };

static void expect(const shared_store *store, imd_status status, imd_status expected) {
  int is_right = status == expected || (status == IMD_CLOSED && atomic_load(&store->is_closing));
  EXPECT(is_right, "%s, not %s", imd_status_name(status), imd_status_name(expected));
}

/* Every 32nd step asks for an effect. So does every other 32nd, whose rule previews, and therefore
 * fails. */
static imd_status rule(void *context, const imd_value *action, const imd_value *old_state,
                       const imd_value *new_state, imd_value **effects, imd_error *error) {
  shared_store *store = context;
  int64_t old, n;
  (void)action;
  EXPECT_STATUS(imd_value_get_integer(old_state, "/n", &old, NULL), IMD_OK);
  EXPECT_STATUS(imd_value_get_integer(new_state, "/n", &n, NULL), IMD_OK);
  int is_odd = n % STEPS_OF_AN_EFFECT == STEPS_OF_AN_EFFECT / 2;
  if (n == old || (n % STEPS_OF_AN_EFFECT != 0 && !is_odd)) return IMD_OK;
  if (is_odd) {
    expect(store, imd_store_mark_clean(store->handle, NULL), IMD_OK);
    imd_status status =
        imd_store_preview(store->handle, "[]", IMD_ZERO_TERMINATED, NULL, NULL, NULL, NULL);
    expect(store, status, IMD_REENTRANT);
    if (status != IMD_REENTRANT) return IMD_OK;
  }
  return imd_value_parse(is_odd ? "[{\"effect\":\"never\"}]" : "[{\"effect\":\"use\"}]",
                         IMD_ZERO_TERMINATED, effects, error);
}

static void perform(void *context, imd_effect *effect, const imd_value *arguments) {
  shared_store *store = context;
  (void)arguments;
  use_history(store);
  atomic_fetch_add(&store->performed, 1);
  expect(store, imd_effect_resolve(effect, NULL, NULL), IMD_OK);
}

static void perform_never(void *context, imd_effect *effect, const imd_value *arguments) {
  (void)context, (void)effect, (void)arguments;
  FAIL("a rule that previewed has an effect");
}

static void release(void *context) { sem_post(&((shared_store *)context)->effects_released); }

void effects_begin(shared_store *store) {
  EXPECT(sem_init(&store->effects_released, 0, 0) == 0, "no semaphore");
  EXPECT_STATUS(imd_store_set_effect(store->handle, "use", perform, store, release, NULL), IMD_OK);
  EXPECT_STATUS(imd_store_set_effect(store->handle, "never", perform_never, store, release, NULL),
                IMD_OK);
  EXPECT_STATUS(imd_store_set_rule(store->handle, rule, store, release, NULL), IMD_OK);
}

void effects_end(shared_store *store) {
  for (int i = 0; i < 3; i++)
    while (sem_wait(&store->effects_released) != 0) {} /* interrupted by a signal */
  EXPECT(sem_trywait(&store->effects_released) != 0, "a function is released twice");
  sem_destroy(&store->effects_released);
}
