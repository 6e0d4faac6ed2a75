#include "texts.h"

#include "generate.h"
#include "measure.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PART = 512 };

char *make_ones(size_t size, size_t *length) {
  char *text = malloc(size + 2);
  memset(text, ',', size);
  text[0] = '[';
  for (size_t i = 1; i < size; i += 2)
    text[i] = '1';
  *length = size + 1 - size % 2;
  text[*length - 1] = ']';
  return text;
}

/* A random double with an absolute value from 2^-64 to 2^64. */
static double random_double(uint64_t *seed) {
  uint64_t sign = random_below(seed, 2), exponent = 1023 - 64 + random_below(seed, 128);
  uint64_t fraction = (uint64_t)random_below(seed, 1u << 26) << 26 | random_below(seed, 1u << 26);
  uint64_t bits = sign << 63 | exponent << 52 | fraction;
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static int write_double(char *out, uint64_t *seed) {
  return sprintf(out, "%.17g", random_double(seed));
}

static int write_words(char *out, uint64_t *seed) {
  static const char *const words[] = {"żółć",   "数据不可变", "Привет мир", "𝒥𝒮𝒪𝒩 🌋", "naïve",
                                      "\\u00e9", "\\ud83c\\udf0b", "\\\"quoted\\\"", "\\n\\t",
                                      "C:\\\\data\\\\"};
  char *at = out;
  at += sprintf(at, "{\"имя\":\"");
  for (int i = 0; i < 8; i++)
    at += sprintf(at, "%s ", words[random_below(seed, 10)]);
  at += sprintf(at, "\",\"\\u6ce8\":\"%s\"}", words[random_below(seed, 10)]);
  return (int)(at - out);
}

/* Makes an array of at least size bytes, whose elements are written by write. */
static char *make_array(size_t size, size_t *length, int (*write)(char *, uint64_t *)) {
  char *text = malloc(size + LONGEST_PART), *at = text;
  uint64_t seed = 2;
  *at++ = '[';
  for (int i = 0; at < text + size; i++) {
    if (i)
      *at++ = ',';
    at += write(at, &seed);
  }
  *at++ = ']';
  *length = (size_t)(at - text);
  return text;
}

char *make_doubles(size_t size, size_t *length) {
  return make_array(size, length, write_double);
}

char *make_words(size_t size, size_t *length) {
  return make_array(size, length, write_words);
}

static int write_mixed(char *out, int number, uint64_t *seed) {
  static const char *const roles[] = {"owner", "editor", "reader", "guest"};
  unsigned user = random_below(seed, 100000);
  return sprintf(
      out,
      "\"k%d\":{\"id\":%d,\"name\":\"User number %u\",\"email\":\"user%u@example.com\",\"age\":%u,"
      "\"balance\":%.2f,\"active\":%s,\"role\":\"%s\",\"manager\":null,\"tags\":[\"%s\",\"t%u\"],"
      "\"address\":{\"street\":\"%u Main Street, Springfield\",\"zip\":\"%05u\","
      "\"location\":[%.5f,%.5f]}}",
      number, number, user, user, random_below(seed, 90), random_below(seed, 10000000) / 100.0,
      random_below(seed, 2) ? "true" : "false", roles[random_below(seed, 4)],
      roles[random_below(seed, 4)], random_below(seed, 99), random_below(seed, 9999),
      random_below(seed, 99999), random_below(seed, 18000000) / -1e5,
      random_below(seed, 9000000) / 1e5);
}

char *make_mixed(size_t size, size_t *length) {
  char *text = malloc(size + LONGEST_PART), *at = text;
  uint64_t seed = 3;
  *at++ = '{';
  for (int i = 0; at < text + size; i++) {
    if (i)
      *at++ = ',';
    at += write_mixed(at, i, &seed);
  }
  *at++ = '}';
  *length = (size_t)(at - text);
  return text;
}

void measure_samples(const sample *samples, int count,
                     void (*measure)(const sample *sample, const char *text, size_t length)) {
  for (int i = 0; i < count; i++) {
    size_t length;
    char *text = samples[i].make(text_size(samples[i].size), &length);
    measure(&samples[i], text, length);
    free(text);
  }
}
