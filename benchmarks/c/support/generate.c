#include "generate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_RECORD = 200, LONGEST_FEATURE = 1200 };

int write_record(char *out, int number) {
  char *at = out;
  for (int field = 0; field < 10; field++)
    at += sprintf(at, "%c\"f%d\":%d", field ? ',' : '{', field, number + field);
  *at++ = '}';
  *at = 0;
  return (int)(at - out);
}

char *make_records(int count) {
  char *text = malloc((size_t)count * LONGEST_RECORD + 32);
  char *at = text + sprintf(text, "{\"records\":{");
  for (int i = 0; i < count; i++) {
    at += sprintf(at, "%s\"k%d\":", i ? "," : "", i);
    at += write_record(at, i);
  }
  sprintf(at, "}}");
  return text;
}

int scattered(int i, int count) {
  return (int)(((uint32_t)i * 2654435761u) >> 7 & (uint32_t)(count - 1));
}

unsigned random_below(uint64_t *seed, unsigned below) {
  uint64_t z = *seed += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (unsigned)((z ^ (z >> 31)) % below);
}

static int write_earthquake(char *out, uint64_t *seed) {
  static const char *const places[] = {"Cobb, CA", "Ridgecrest, CA", "Pāhala, Hawaii", "Anza, CA",
                                       "Mentone, Texas", "Susitna North, Alaska"};
  static const char *const networks[] = {"nc", "ci", "hv", "us", "tx", "ak"};
  unsigned region = random_below(seed, 6);
  const char *net = networks[region], *place = places[region];
  unsigned code = 70000000 + random_below(seed, 9999999);
  unsigned long long time = 1700000000000ull + random_below(seed, 2000000000u);
  double mag = random_below(seed, 700) / 100.0;
  int distance = (int)random_below(seed, 100);
  return sprintf(
      out,
      "{\"type\":\"Feature\",\"properties\":{\"mag\":%.2f,\"place\":\"%d km NW of %s\","
      "\"time\":%llu,\"updated\":%llu,\"tz\":null,"
      "\"url\":\"https://earthquake.usgs.gov/earthquakes/eventpage/%s%u\","
      "\"detail\":\"https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/%s%u.geojson\","
      "\"felt\":null,\"cdi\":null,\"mmi\":null,\"alert\":null,\"status\":\"%s\",\"tsunami\":0,"
      "\"sig\":%u,\"net\":\"%s\",\"code\":\"%u\",\"ids\":\",%s%u,\",\"sources\":\",%s,\","
      "\"types\":\",nearby-cities,origin,phase-data,\",\"nst\":%u,\"dmin\":%.6f,\"rms\":%.2f,"
      "\"gap\":%u,\"magType\":\"md\",\"type\":\"earthquake\","
      "\"title\":\"M %.1f - %d km NW of %s\"},"
      "\"geometry\":{\"type\":\"Point\",\"coordinates\":[%.7f,%.7f,%.2f]},\"id\":\"%s%u\"}",
      mag, distance, place, time, time + random_below(seed, 900000), net, code, net, code,
      random_below(seed, 2) ? "reviewed" : "automatic", random_below(seed, 600), net, code, net,
      code, net, random_below(seed, 90), random_below(seed, 1000000) / 1e6,
      random_below(seed, 150) / 100.0, random_below(seed, 360), mag, distance, place,
      random_below(seed, 1800000000) / -1e7, random_below(seed, 900000000) / 1e7,
      random_below(seed, 30000) / 100.0, net, code);
}

char *make_earthquakes(size_t size, size_t *length) {
  char *text = malloc(size + LONGEST_FEATURE + 512);
  uint64_t seed = 1;
  char *at = text + sprintf(text,
                            "{\"type\":\"FeatureCollection\",\"metadata\":{"
                            "\"generated\":1700000000000,\"title\":\"USGS All Earthquakes\","
                            "\"status\":200,\"api\":\"1.10.3\"},\"features\":[");
  for (int i = 0; at < text + size; i++) {
    if (i)
      *at++ = ',';
    at += write_earthquake(at, &seed);
  }
  at += sprintf(at, "],\"bbox\":[-180,-90,0,180,90,300]}");
  *length = (size_t)(at - text);
  return text;
}
