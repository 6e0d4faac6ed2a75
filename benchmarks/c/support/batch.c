#include "batch.h"

#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

batch *make_batch(int count) {
  batch *batch = malloc(sizeof *batch);
  batch->count = count;
  batch->inserts = count / 4 < BATCH ? count / 4 : BATCH;
  batch->operations = malloc(BATCH * sizeof *batch->operations);
  for (int i = 0; i < BATCH; i++) {
    operation *operation = &batch->operations[i];
    sprintf(operation->id, "k%d", scattered(i, count));
    sprintf(operation->new_id, "%sn%d", operation->id, i);
    operation->record.length = write_record(operation->record.characters, i);
    operation->add.length =
        sprintf(operation->add.characters,
                "{\"type\":\"add\",\"payload\":{\"id\":\"%s\",\"record\":%.200s}}",
                operation->new_id, operation->record.characters);
    operation->drop.length =
        sprintf(operation->drop.characters, "{\"type\":\"drop\",\"payload\":{\"id\":\"%s\"}}",
                operation->new_id);
  }
  renew_batch(batch);
  return batch;
}

void free_batch(batch *batch) {
  free(batch->operations);
  free(batch);
}

void renew_batch(batch *batch) {
  static int value = 2000000;
  for (int i = 0; i < BATCH; i++) {
    operation *operation = &batch->operations[i];
    operation->value = value++;
    operation->set.length = sprintf(
        operation->set.characters, "{\"type\":\"set\",\"payload\":{\"id\":\"%s\",\"value\":%d}}",
        operation->id, operation->value);
  }
}

void pad_action(text *action, int length) {
  static const char member[] = ",\"note\":\"";
  int start = action->length - 2, padding = length - action->length - (int)sizeof member;
  if (padding < 1)
    return;
  action->length = sprintf(action->characters + start, "%s%0*d\"}}", member, padding, 0) + start;
}
