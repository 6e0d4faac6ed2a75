"""The functions of stores, observations, streams and effects, one block each, as in the header."""

from ctypes import c_char_p, c_int, c_size_t, c_void_p

from .library import fallible, function
from .types import (
    imd_dispatch_done,
    imd_effect_cancel,
    imd_effect_error_handler,
    imd_effect_function,
    imd_effect_p,
    imd_fetch,
    imd_header_p,
    imd_log_migration_p,
    imd_log_predicate,
    imd_log_progress,
    imd_member_p,
    imd_observation_p,
    imd_observation_pp,
    imd_observer,
    imd_observer_functions_p,
    imd_reducer,
    imd_release,
    imd_request_p,
    imd_rule,
    imd_selector,
    imd_store_p,
    imd_store_pp,
    imd_stream_p,
    imd_trace,
    imd_stream_pp,
    imd_value_p,
    imd_value_pp,
    int64_p,
    int_p,
    size_p,
    text_pp,
)

# imd_status imd_store_open(const char *domain, const char *options, size_t length, imd_store **out,
#                           imd_error *error);
imd_store_open = fallible("imd_store_open", c_char_p, c_char_p, c_size_t, imd_store_pp)

# void imd_store_close(imd_store *store);
imd_store_close = function("imd_store_close", None, imd_store_p)

# imd_status imd_store_try_close(imd_store *store, imd_error *error);
imd_store_try_close = fallible("imd_store_try_close", imd_store_p)

# imd_status imd_store_dispatch(imd_store *store, const char *action, size_t length,
#                               imd_error *error);
imd_store_dispatch = fallible("imd_store_dispatch", imd_store_p, c_char_p, c_size_t)

# imd_status imd_store_dispatch_batch(imd_store *store, const char *actions, size_t length,
#                                     imd_error *error);
imd_store_dispatch_batch = fallible("imd_store_dispatch_batch", imd_store_p, c_char_p, c_size_t)

# imd_status imd_store_dispatch_async(imd_store *store, const char *action, size_t length,
#                                     imd_dispatch_done done, void *context, imd_error *error);
imd_store_dispatch_async = fallible(
    "imd_store_dispatch_async", imd_store_p, c_char_p, c_size_t, imd_dispatch_done, c_void_p
)

# imd_status imd_store_set_dispatch_timeout(imd_store *store, int timeout_ms, imd_error *error);
imd_store_set_dispatch_timeout = fallible("imd_store_set_dispatch_timeout", imd_store_p, c_int)

# imd_status imd_store_select(imd_store *store, const char *selector, const char *arguments,
#                             size_t length, char **out, size_t *out_length, imd_error *error);
imd_store_select = fallible(
    "imd_store_select", imd_store_p, c_char_p, c_char_p, c_size_t, text_pp, size_p
)

# ---- Stores of your own --------------------------------------------------------------------------

# imd_status imd_store_create(const char *state, size_t length, imd_reducer reducer, void *context,
#                             void (*release)(void *context), const char *options,
#                             size_t options_length, imd_store **out, imd_error *error);
imd_store_create = fallible(
    "imd_store_create",
    c_char_p,
    c_size_t,
    imd_reducer,
    c_void_p,
    imd_release,
    c_char_p,
    c_size_t,
    imd_store_pp,
)

# imd_status imd_store_state(imd_store *store, imd_value **out, imd_error *error);
imd_store_state = fallible("imd_store_state", imd_store_p, imd_value_pp)

# imd_status imd_store_query(imd_store *store, const char *expression, const char *arguments,
#                            size_t length, char **out, size_t *out_length, imd_error *error);
imd_store_query = fallible(
    "imd_store_query", imd_store_p, c_char_p, c_char_p, c_size_t, text_pp, size_p
)

# ---- Observation ---------------------------------------------------------------------------------

# imd_status imd_store_observe(imd_store *store, const char *selector, const char *arguments,
#                              size_t length, const char *options, size_t options_length,
#                              imd_observer observer, void *context, void (*release)(void *context),
#                              imd_observation **out, imd_error *error);
imd_store_observe = fallible(
    "imd_store_observe",
    imd_store_p,
    c_char_p,
    c_char_p,
    c_size_t,
    c_char_p,
    c_size_t,
    imd_observer,
    c_void_p,
    imd_release,
    imd_observation_pp,
)

# imd_status imd_store_observe_with_functions(imd_store *store, const char *selector,
#                                             const char *arguments, size_t length,
#                                             const char *options, size_t options_length,
#                                             const imd_observer_functions *functions,
#                                             void *context, void (*release)(void *context),
#                                             imd_observation **out, imd_error *error);
imd_store_observe_with_functions = fallible(
    "imd_store_observe_with_functions",
    imd_store_p,
    c_char_p,
    c_char_p,
    c_size_t,
    c_char_p,
    c_size_t,
    imd_observer_functions_p,
    c_void_p,
    imd_release,
    imd_observation_pp,
)

# void imd_observation_cancel(imd_observation *observation);
imd_observation_cancel = function("imd_observation_cancel", None, imd_observation_p)

# imd_status imd_store_poll(imd_store *store, size_t *delivered, imd_error *error);
imd_store_poll = fallible("imd_store_poll", imd_store_p, size_p)

# imd_status imd_store_fd(imd_store *store, int *out, imd_error *error);
imd_store_fd = fallible("imd_store_fd", imd_store_p, int_p)

# ---- Without text --------------------------------------------------------------------------------

# imd_status imd_store_dispatch_value(imd_store *store, const imd_value *action, imd_error *error);
imd_store_dispatch_value = fallible("imd_store_dispatch_value", imd_store_p, imd_value_p)

# imd_status imd_store_dispatch_object(imd_store *store, const imd_member *members, size_t count,
#                                      imd_error *error);
imd_store_dispatch_object = fallible(
    "imd_store_dispatch_object", imd_store_p, imd_member_p, c_size_t
)

# imd_status imd_store_dispatch_batch_value(imd_store *store, const imd_value *actions,
#                                           imd_error *error);
imd_store_dispatch_batch_value = fallible(
    "imd_store_dispatch_batch_value", imd_store_p, imd_value_p
)

# imd_status imd_store_select_value(imd_store *store, const char *selector,
#                                   const imd_value *arguments, const imd_value *options,
#                                   imd_value **out, imd_error *error);
imd_store_select_value = fallible(
    "imd_store_select_value", imd_store_p, c_char_p, imd_value_p, imd_value_p, imd_value_pp
)

# imd_status imd_store_query_value(imd_store *store, const char *expression,
#                                  const imd_value *arguments, const imd_value *options,
#                                  imd_value **out, imd_error *error);
imd_store_query_value = fallible(
    "imd_store_query_value", imd_store_p, c_char_p, imd_value_p, imd_value_p, imd_value_pp
)

# ---- Optimistic updates --------------------------------------------------------------------------

# imd_status imd_store_confirmed_state(imd_store *store, imd_value **out, imd_error *error);
imd_store_confirmed_state = fallible("imd_store_confirmed_state", imd_store_p, imd_value_pp)

# ---- Selectors -----------------------------------------------------------------------------------

# imd_status imd_store_define_selector(imd_store *store, const char *name, const char *expression,
#                                      imd_error *error);
imd_store_define_selector = fallible("imd_store_define_selector", imd_store_p, c_char_p, c_char_p)

# imd_status imd_store_check_expression(imd_store *store, const char *expression, char **out,
#                                       size_t *out_length, imd_error *error);
imd_store_check_expression = fallible(
    "imd_store_check_expression", imd_store_p, c_char_p, text_pp, size_p
)


# imd_status imd_store_define_function(imd_store *store, const char *name, const char *options,
#                                      size_t length, imd_selector selector, void *context,
#                                      void (*release)(void *context), imd_error *error);
imd_store_define_function = fallible(
    "imd_store_define_function",
    imd_store_p,
    c_char_p,
    c_char_p,
    c_size_t,
    imd_selector,
    c_void_p,
    imd_release,
)

# imd_status imd_store_describe(imd_store *store, char **out, size_t *out_length, imd_error *error);
imd_store_describe = fallible("imd_store_describe", imd_store_p, text_pp, size_p)

# ---- More of a store -----------------------------------------------------------------------------

# imd_status imd_store_preview(imd_store *store, const char *actions, size_t length,
#                              imd_value **state, char **patch, size_t *patch_length,
#                              imd_error *error);
imd_store_preview = fallible(
    "imd_store_preview", imd_store_p, c_char_p, c_size_t, imd_value_pp, text_pp, size_p
)

# imd_status imd_store_statistics(imd_store *store, char **out, size_t *out_length,
#                                 imd_error *error);
imd_store_statistics = fallible("imd_store_statistics", imd_store_p, text_pp, size_p)

# imd_status imd_store_backup(imd_store *store, const char *path, imd_error *error);
imd_store_backup = fallible("imd_store_backup", imd_store_p, c_char_p)

# ---- History -------------------------------------------------------------------------------------

# imd_status imd_store_undo(imd_store *store, size_t steps, size_t *taken, imd_error *error);
imd_store_undo = fallible("imd_store_undo", imd_store_p, c_size_t, size_p)

# imd_status imd_store_redo(imd_store *store, size_t steps, size_t *taken, imd_error *error);
imd_store_redo = fallible("imd_store_redo", imd_store_p, c_size_t, size_p)

# imd_status imd_store_travel(imd_store *store, size_t number, imd_error *error);
imd_store_travel = fallible("imd_store_travel", imd_store_p, c_size_t)

# imd_status imd_store_begin_group(imd_store *store, imd_error *error);
imd_store_begin_group = fallible("imd_store_begin_group", imd_store_p)

# imd_status imd_store_end_group(imd_store *store, imd_error *error);
imd_store_end_group = fallible("imd_store_end_group", imd_store_p)

# imd_status imd_store_cancel_group(imd_store *store, imd_error *error);
imd_store_cancel_group = fallible("imd_store_cancel_group", imd_store_p)

# imd_status imd_store_mark_clean(imd_store *store, imd_error *error);
imd_store_mark_clean = fallible("imd_store_mark_clean", imd_store_p)

# imd_status imd_store_history(imd_store *store, const char *options, size_t length, char **out,
#                              size_t *out_length, imd_error *error);
imd_store_history = fallible(
    "imd_store_history", imd_store_p, c_char_p, c_size_t, text_pp, size_p
)

# imd_status imd_store_blame(imd_store *store, const char *pointer, const char *options,
#                            size_t length, char **out, size_t *out_length, imd_error *error);
imd_store_blame = fallible(
    "imd_store_blame", imd_store_p, c_char_p, c_char_p, c_size_t, text_pp, size_p
)

# imd_status imd_store_blame_value(imd_store *store, const char *pointer, const char *options,
#                                  size_t length, imd_value **out, imd_error *error);
imd_store_blame_value = fallible(
    "imd_store_blame_value", imd_store_p, c_char_p, c_char_p, c_size_t, imd_value_pp
)

# ---- Log -----------------------------------------------------------------------------------------

# imd_status imd_store_sync(imd_store *store, int timeout_ms, imd_error *error);
imd_store_sync = fallible("imd_store_sync", imd_store_p, c_int)

# imd_status imd_store_refresh(imd_store *store, imd_error *error);
imd_store_refresh = fallible("imd_store_refresh", imd_store_p)

# imd_status imd_store_replay(imd_store *store, imd_log_progress progress, void *context,
#                             char **out, size_t *out_length, imd_error *error);
imd_store_replay = fallible(
    "imd_store_replay", imd_store_p, imd_log_progress, c_void_p, text_pp, size_p
)

# imd_status imd_store_replay_value(imd_store *store, imd_log_progress progress, void *context,
#                                   imd_value **out, imd_error *error);
imd_store_replay_value = fallible(
    "imd_store_replay_value", imd_store_p, imd_log_progress, c_void_p, imd_value_pp
)

# imd_status imd_log_verify(const char *path, imd_log_progress progress, void *context, char **out,
#                           size_t *out_length, imd_error *error);
imd_log_verify = fallible(
    "imd_log_verify", c_char_p, imd_log_progress, c_void_p, text_pp, size_p
)

# imd_status imd_log_entries(const char *path, const char *options, size_t length, char **out,
#                            size_t *out_length, imd_error *error);
imd_log_entries = fallible("imd_log_entries", c_char_p, c_char_p, c_size_t, text_pp, size_p)

# imd_status imd_log_entries_value(const char *path, const char *options, size_t length,
#                                  imd_value **out, imd_error *error);
imd_log_entries_value = fallible(
    "imd_log_entries_value", c_char_p, c_char_p, c_size_t, imd_value_pp
)

# imd_status imd_log_snapshot(const char *path, imd_value **out, imd_error *error);
imd_log_snapshot = fallible("imd_log_snapshot", c_char_p, imd_value_pp)

# imd_status imd_log_state_at(const char *path, size_t number, imd_reducer reducer, void *context,
#                             imd_value **out, imd_error *error);
imd_log_state_at = fallible(
    "imd_log_state_at", c_char_p, c_size_t, imd_reducer, c_void_p, imd_value_pp
)

# imd_status imd_log_compact(const char *path, const char *options, size_t length,
#                            imd_reducer reducer, void *context, imd_error *error);
imd_log_compact = fallible(
    "imd_log_compact", c_char_p, c_char_p, c_size_t, imd_reducer, c_void_p
)

# imd_status imd_log_export(const char *path, imd_reducer reducer, void *context, char **out,
#                           size_t *out_length, imd_error *error);
imd_log_export = fallible("imd_log_export", c_char_p, imd_reducer, c_void_p, text_pp, size_p)

# imd_status imd_log_import(const char *path, const char *text, size_t length, const char *domain,
#                           imd_reducer reducer, void *context, imd_error *error);
imd_log_import = fallible(
    "imd_log_import", c_char_p, c_char_p, c_size_t, c_char_p, imd_reducer, c_void_p
)

# imd_status imd_log_migrate(const char *path, int version, const imd_log_migration *migrations,
#                            size_t count, imd_reducer reducer, void *context, imd_error *error);
imd_log_migrate = fallible(
    "imd_log_migrate", c_char_p, c_int, imd_log_migration_p, c_size_t, imd_reducer, c_void_p
)

# imd_status imd_log_redact(const char *path, imd_log_predicate predicate, void *predicate_context,
#                           imd_reducer reducer, void *context, size_t *redacted, imd_error *error);
imd_log_redact = fallible(
    "imd_log_redact", c_char_p, imd_log_predicate, c_void_p, imd_reducer, c_void_p, size_p
)

# ---- Streams -------------------------------------------------------------------------------------

# imd_status imd_store_stream(imd_store *store, const char *options, size_t length,
#                             imd_stream **out, imd_error *error);
imd_store_stream = fallible("imd_store_stream", imd_store_p, c_char_p, c_size_t, imd_stream_pp)

# imd_status imd_stream_next(imd_stream *stream, int timeout_ms, imd_value **action,
#                            imd_value **old_state, imd_value **new_state, imd_error *error);
imd_stream_next = fallible(
    "imd_stream_next", imd_stream_p, c_int, imd_value_pp, imd_value_pp, imd_value_pp
)

# imd_status imd_stream_dropped(imd_stream *stream, size_t *out, imd_error *error);
imd_stream_dropped = fallible("imd_stream_dropped", imd_stream_p, size_p)

# imd_status imd_stream_fd(imd_stream *stream, int *out, imd_error *error);
imd_stream_fd = fallible("imd_stream_fd", imd_stream_p, int_p)

# void imd_stream_close(imd_stream *stream);
imd_stream_close = function("imd_stream_close", None, imd_stream_p)

# imd_status imd_store_flush(imd_store *store, int timeout_ms, imd_error *error);
imd_store_flush = fallible("imd_store_flush", imd_store_p, c_int)

# ---- Effects -------------------------------------------------------------------------------------

# imd_status imd_store_set_fetch(imd_store *store, imd_fetch fetch, void *context,
#                                void (*release)(void *context), imd_error *error);
imd_store_set_fetch = fallible("imd_store_set_fetch", imd_store_p, imd_fetch, c_void_p, imd_release)

# imd_status imd_request_resolve(imd_request *request, int http_status, const imd_header *headers,
#                                size_t header_count, const char *body, size_t length,
#                                imd_error *error);
imd_request_resolve = fallible(
    "imd_request_resolve", imd_request_p, c_int, imd_header_p, c_size_t, c_char_p, c_size_t
)

# imd_status imd_request_reject(imd_request *request, const char *reason, imd_error *error);
imd_request_reject = fallible("imd_request_reject", imd_request_p, c_char_p)

# imd_status imd_request_receive(imd_request *request, int http_status, const imd_header *headers,
#                                size_t header_count, const char *part, size_t length,
#                                imd_error *error);
imd_request_receive = fallible(
    "imd_request_receive", imd_request_p, c_int, imd_header_p, c_size_t, c_char_p, c_size_t
)

# imd_status imd_store_set_effect(imd_store *store, const char *name, imd_effect_function function,
#                                 void *context, void (*release)(void *context), imd_error *error);
imd_store_set_effect = fallible(
    "imd_store_set_effect", imd_store_p, c_char_p, imd_effect_function, c_void_p, imd_release
)

# imd_status imd_effect_resolve(imd_effect *effect, const imd_value *result, imd_error *error);
imd_effect_resolve = fallible("imd_effect_resolve", imd_effect_p, imd_value_p)

# imd_status imd_effect_reject(imd_effect *effect, const char *reason, imd_error *error);
imd_effect_reject = fallible("imd_effect_reject", imd_effect_p, c_char_p)

# imd_status imd_effect_set_cancel(imd_effect *effect, imd_effect_cancel function, void *context,
#                                  void (*release)(void *context), imd_error *error);
imd_effect_set_cancel = fallible(
    "imd_effect_set_cancel", imd_effect_p, imd_effect_cancel, c_void_p, imd_release
)

# imd_status imd_store_set_rule(imd_store *store, imd_rule rule, void *context,
#                               void (*release)(void *context), imd_error *error);
imd_store_set_rule = fallible("imd_store_set_rule", imd_store_p, imd_rule, c_void_p, imd_release)

# imd_status imd_store_set_effect_error_handler(imd_store *store, imd_effect_error_handler handler,
#                                               void *context, void (*release)(void *context),
#                                               imd_error *error);
imd_store_set_effect_error_handler = fallible(
    "imd_store_set_effect_error_handler",
    imd_store_p,
    imd_effect_error_handler,
    c_void_p,
    imd_release,
)

# imd_status imd_store_settle(imd_store *store, int timeout_ms, imd_error *error);
imd_store_settle = fallible("imd_store_settle", imd_store_p, c_int)

# imd_status imd_store_advance(imd_store *store, int milliseconds, imd_error *error);
imd_store_advance = fallible("imd_store_advance", imd_store_p, c_int)

# imd_status imd_store_receive(imd_store *store, size_t *waiting, imd_error *error);
imd_store_receive = fallible("imd_store_receive", imd_store_p, size_p)

# ---- Log drivers ---------------------------------------------------------------------------------

# imd_status imd_register_log(const char *scheme, const imd_log_driver *driver, imd_error *error);
imd_register_log = fallible("imd_register_log", c_char_p, c_void_p)

# imd_status imd_log_trim(const char *address, int64_t *number, imd_error *error);
imd_log_trim = fallible("imd_log_trim", c_char_p, int64_p)

# ---- Trace ---------------------------------------------------------------------------------------

# imd_status imd_store_set_trace(imd_store *store, imd_trace function, void *context,
#                                void (*release)(void *context), imd_error *error);
imd_store_set_trace = fallible("imd_store_set_trace", imd_store_p, imd_trace, c_void_p, imd_release)
