#include "moved.h"
#include "values.h"

imd_status encode_donut(const donut *donut, imd_value **out, imd_error *error) {
  imd_status status = imd_value_parse("{}", IMD_ZERO_TERMINATED, out, error);
  if (status == IMD_OK) status = put_text(out, "/id", donut->id, error);
  if (status == IMD_OK) status = put_text(out, "/name", donut->name, error);
  return status;
}

imd_status decode_donut(const imd_value *value, donut *donut, imd_error *error) {
  imd_status status = read_text(value, "/id", donut->id, sizeof donut->id, error);
  if (status == IMD_OK)
    status = read_text(value, "/name", donut->name, sizeof donut->name, error);
  return status;
}

imd_status decode_donuts(const imd_value *values, donut *donuts, size_t *count, imd_error *error) {
  imd_cursor *cursor;
  const imd_value *each;
  size_t capacity = *count;
  *count = 0;
  imd_status status = imd_cursor_open(values, NULL, &cursor, error);
  while (status == IMD_OK && *count < capacity && imd_cursor_next(cursor, NULL, NULL, &each))
    status = decode_donut(each, &donuts[(*count)++], error);
  imd_cursor_close(cursor);
  return status;
}
