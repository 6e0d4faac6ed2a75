"""Replays actions: reads JSON Lines, dispatches each to a store, and prints a selector's output.

    python replay.py counter selectValue < actions.jsonl

A line is an action, or an array of actions to be dispatched as a batch. A refused line is reported
and changes nothing; the exit status is then 1.

The store begins with the initial state of the domain, and performs effects. If the lines are those
of a stream, they contain the outcomes of effects, so leave out the actions that start them:

    grep '"type":"data/' actions.jsonl | python replay.py animals selectAnimalsStatus

A log has an array of actions in each entry:

    jq -c '.actions // empty' counter.imd | python replay.py counter selectValue
"""

import json
import sys

import immutabledata as imd


def main() -> int:
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} DOMAIN SELECTOR < ACTIONS", file=sys.stderr)
        return 2
    domain, selector = sys.argv[1:]
    exit_status = 0
    with imd.open(domain) as store:
        for number, line in enumerate(sys.stdin, 1):
            try:
                actions = json.loads(line)
                if isinstance(actions, list):
                    store.dispatch_batch(actions)
                else:
                    store.dispatch(actions)
                print(store.select_json(selector))
            except (imd.Error, TypeError, ValueError) as error:
                print(f"line {number}: {type(error).__name__}: {error}", file=sys.stderr)
                exit_status = 1
    return exit_status


if __name__ == "__main__":
    sys.exit(main())
