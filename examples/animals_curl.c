/* Shows the animals of a category on a server, and shows them again whenever any client changes
 * them (not an empty category). Performs the HTTP requests with libcurl.
 *
 *     animals_curl ADDRESS CATEGORY [COUNT]
 *     animals_curl http://127.0.0.1:8080 Mammal
 *
 * Exits after it has shown the animals COUNT times; without COUNT, it runs until it is stopped. */
#define _POSIX_C_SOURCE 200809L

#include <curl/curl.h>
#include <immutabledata.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Requests -------------------------------------------------------------------------------- */

typedef struct {
  imd_request *request;
  CURL *curl;
  struct curl_slist *headers;
} exchange;

/* What a store needs of a response, except for its body. */
typedef struct {
  long status;
  imd_header headers[3];
  size_t count;
} head;

static head read_head(CURL *curl) {
  head head = {0};
  char *type = NULL, *location = NULL;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &head.status);
  curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
  if (type) head.headers[head.count++] = (imd_header){"Content-Type", type};
  if (location) head.headers[head.count++] = (imd_header){"Location", location};
#if LIBCURL_VERSION_NUM >= 0x075400
  struct curl_header *heartbeat = NULL;
  if (curl_easy_header(curl, "Animals-Heartbeat", 0, CURLH_HEADER, -1, &heartbeat) == CURLHE_OK)
    head.headers[head.count++] = (imd_header){heartbeat->name, heartbeat->value};
#endif
  return head;
}

static size_t receive(char *part, size_t size, size_t count, void *context) {
  exchange *exchange = context;
  head head = read_head(exchange->curl);
  imd_status status = imd_request_receive(exchange->request, (int)head.status, head.headers,
                                          head.count, part, size * count, NULL);
  return status == IMD_OK ? size * count : 0; /* 0 tells libcurl to stop */
}

/* Passes on the head of a stream when it is complete: the first event may arrive much later. */
static size_t receive_head(char *line, size_t size, size_t count, void *context) {
  (void)line;
  if (size * count <= 2) receive(NULL, 0, 0, context); /* an empty line ends the head */
  return size * count;
}

static void *perform(void *context) {
  exchange *exchange = context;
  char message[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(exchange->curl, CURLOPT_ERRORBUFFER, message);
  CURLcode code = curl_easy_perform(exchange->curl);
  head head = read_head(exchange->curl);
  if (code == CURLE_OK)
    imd_request_resolve(exchange->request, (int)head.status, head.headers, head.count, NULL, 0,
                        NULL);
  else
    imd_request_reject(exchange->request, message[0] ? message : curl_easy_strerror(code), NULL);
  curl_slist_free_all(exchange->headers);
  curl_easy_cleanup(exchange->curl);
  free(exchange);
  return NULL;
}

/* Performs a request on a thread of its own. */
static void fetch(void *context, imd_request *request, const imd_request_info *info) {
  (void)context;
  exchange *exchange = calloc(1, sizeof *exchange);
  CURL *curl = curl_easy_init();
  pthread_t thread;
  if (!exchange || !curl) {
    imd_request_reject(request, "out of memory", NULL);
    curl_easy_cleanup(curl);
    free(exchange);
    return;
  }
  exchange->request = request;
  exchange->curl = curl;
  for (size_t i = 0; i < info->header_count; i++) {
    const imd_header *header = &info->headers[i];
    size_t length = strlen(header->name) + strlen(header->value) + 3;
    char *line = malloc(length);
    if (!line) continue;
    snprintf(line, length, "%s: %s", header->name, header->value);
    exchange->headers = curl_slist_append(exchange->headers, line);
    free(line);
  }
  curl_easy_setopt(curl, CURLOPT_URL, info->url);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, info->method);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, exchange->headers);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 10L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, exchange);
  if (info->is_streamed) {
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_head);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, exchange);
  }
  if (info->body_length > 0) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)info->body_length);
    curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, info->body);
  }
  if (pthread_create(&thread, NULL, perform, exchange) == 0) {
    pthread_detach(thread);
    return;
  }
  imd_request_reject(request, "cannot create a thread", NULL);
  curl_slist_free_all(exchange->headers);
  curl_easy_cleanup(curl);
  free(exchange);
}

/* ---- Output ---------------------------------------------------------------------------------- */

static long shown;

static void show_animals(void *context, const imd_delivery *delivery) {
  (void)context;
  if (delivery->kind == IMD_DELIVERY_FAILURE) return;
  size_t count = imd_value_count(delivery->value);
  if (count == 0) return;
  for (size_t i = 0; i < count; i++) {
    char pointer[64], *text = NULL;
    snprintf(pointer, sizeof pointer, "/%zu/name", i);
    if (imd_value_get_string(delivery->value, pointer, &text, NULL, NULL) == IMD_OK)
      printf("%s%s", i ? ", " : "", text);
    imd_free(text);
  }
  printf("\n");
  fflush(stdout);
  shown++;
}

static void show_status(void *context, const imd_delivery *delivery) {
  (void)context;
  char *error = NULL;
  if (delivery->kind == IMD_DELIVERY_VALUE &&
      imd_value_get_string(delivery->value, "/failure/error", &error, NULL, NULL) == IMD_OK)
    fprintf(stderr, "%s\n", error);
  imd_free(error);
}

static int fail(const imd_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return 1;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: %s ADDRESS CATEGORY [COUNT]\n", arguments[0]);
    return 2;
  }
  long wanted = count > 3 ? strtol(arguments[3], NULL, 10) : 0;
  char options[512], selected[512];
  snprintf(options, sizeof options, "{\"remote\":\"%s\"}", arguments[1]);
  snprintf(selected, sizeof selected, "{\"categoryId\":\"%s\",\"sort\":\"name\"}", arguments[2]);
  const char *queued = "{\"when\":\"queued\"}"; /* each output, not only the latest */
  const char *appear = "{\"type\":\"ui/animalList/onAppear\"}";

  curl_global_init(CURL_GLOBAL_DEFAULT);
  imd_error error;
  imd_store *store;
  int fd;
  if (imd_store_open("animals", options, IMD_ZERO_TERMINATED, &store, &error) != IMD_OK)
    return fail(&error);
  if (imd_store_set_fetch(store, fetch, NULL, NULL, &error) != IMD_OK ||
      imd_store_observe(store, "selectAnimalsValues", selected, IMD_ZERO_TERMINATED, queued,
                        IMD_ZERO_TERMINATED, show_animals, NULL, NULL, NULL, &error) != IMD_OK ||
      imd_store_observe(store, "selectAnimalsStatus", NULL, 0, queued, IMD_ZERO_TERMINATED,
                        show_status, NULL, NULL, NULL, &error) != IMD_OK ||
      imd_store_fd(store, &fd, &error) != IMD_OK ||
      imd_store_dispatch(store, appear, IMD_ZERO_TERMINATED, &error) != IMD_OK) {
    imd_store_close(store);
    return fail(&error);
  }
  while (wanted == 0 || shown < wanted) {
    struct pollfd entry = {.fd = fd, .events = POLLIN};
    if (poll(&entry, 1, -1) < 0 || imd_store_poll(store, NULL, &error) != IMD_OK) break;
  }
  imd_store_close(store);
  return 0; /* the thread of the stream ends with the process */
}
