"""A note that is saved while its user types, with a search. Each of its bugs can be planted."""

import immutabledata as imd

STATE = {"text": "", "version": 0, "error": None, "query": "", "results": []}


def make_reducer(bug=None):
    @imd.drafting
    def reduce(draft, action):
        type, payload = action["type"], action.get("payload")
        if type == "typed":
            draft["text"] = payload
        elif type == "saved":
            draft["version"] = payload["version"]
            if bug == "a lost update":
                draft["text"] = payload["text"]
        elif type == "failed":
            draft["error"] = payload["reason"]
        elif type == "searched":
            draft["query"] = payload
            if bug != "an error that stays":
                draft["error"] = None
            if bug == "a change too many":
                draft["results"] = []
        elif type == "found":
            draft["text" if bug == "a wrong path" else "results"] = payload
        elif type == "cleared" and bug != "a missing case":
            draft["text"] = ""

    return reduce


def make_rule(bug=None):
    def save(text):
        effect = {
            "effect": "save",
            "arguments": {"text": text},
            "success": "saved",
            "failure": "failed",
            "key": "search" if bug == "a wrong key" else "save",
            "delay": 5000 if bug == "a wrong delay" else 500,
            "retry": {"times": 1, "delay": 1000},
        }
        if bug == "a forgotten failure":
            del effect["failure"]
        if bug == "no second attempt":
            del effect["retry"]
        return effect

    def search(query):
        return {
            "effect": "search",
            "arguments": {"query": query},
            "success": "found",
            "failure": "failed",
            "key": "search",
            "mode": "first" if bug == "a wrong mode" else "latest",
        }

    def ask(action, old, new):
        if action["type"] == "typed":
            effect = save(old["text"] if bug == "old arguments" else new["text"])
            return [effect, {**effect, "key": "again"}] if bug == "an effect twice" else [effect]
        if action["type"] == "cleared" and bug != "a missing effect":
            return [save("")]
        if action["type"] == "searched" and action["payload"]:
            return [search(action["payload"])]
        if action["type"] == "searched" and bug != "an outcome after a cancel":
            return [{"cancel": "search"}]
        return None

    return ask
