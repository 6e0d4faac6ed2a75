/* Uses a store that a Python program has opened in the same process: see shared_store.py. */
#include <immutabledata.h>

/* Increments a counter. */
imd_status increment(imd_store *store, int times) {
  imd_status status = IMD_OK;
  for (int i = 0; i < times && status == IMD_OK; i++)
    status = imd_store_dispatch(store, "{\"type\":\"didTapIncrementButton\"}",
                                IMD_ZERO_TERMINATED, NULL);
  return status;
}
