/* The peak memory of parsing, without the text itself, compared with jansson. */
#include "jobs.h"

#include "generate.h"
#include "measure.h"
#include "rss.h"
#include "texts.h"

#include <jansson.h>

typedef struct input {
  int (*reads)(const char *text, size_t length);
  const char *text;
  size_t length;
} input;

static int read_value(const char *text, size_t length) {
  imd_value *value;
  return imd_value_parse(text, length, &value, NULL) == IMD_OK;
}

static int read_jansson(const char *text, size_t length) {
  return json_loadb(text, length, 0, NULL) != NULL;
}

static int read_input(void *context) {
  const input *input = context;
  return input->reads(input->text, input->length);
}

/* The peak memory of parsing for each byte of text. */
static double peak(int (*reads)(const char *, size_t), const char *text, size_t length) {
  return peak_growth(read_input, &(input){reads, text, length}) / (double)length;
}

static void measure_text(const sample *sample, const char *text, size_t length) {
  print_row(sample->row, peak(read_value, text, length), "jansson",
            peak(read_jansson, text, length), "B", sample->goal);
}

void measure_peaks(void) {
  static const sample samples[] = {
      {"peak of reading [1,1,…], for each byte", make_ones, 40000000, "ours <= 6"},
      {"peak of reading GeoJSON, for each byte", make_earthquakes, 10000000, "ours <= 3"},
      {"peak of reading doubles, for each byte", make_doubles, 10000000, ""},
      {"peak of reading strings, for each byte", make_words, 10000000, ""},
  };
  measure_samples(samples, sizeof samples / sizeof *samples, measure_text);
}
