"""Collections of entities: looked up by id, listed in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Callable, Union

from .._values.draft import peek, produce
from .._values.value import value
from ..errors import InvalidArgumentError

Id = Union[str, int]
Entity = Mapping[str, Any]
Reading = Union[str, Callable[[Any], Any]]


class Entities:
    """Reads and changes collections of entities; see entities."""

    __slots__ = ("_read_id", "_read_order")

    def __init__(self, id: Reading, sort_by: Reading | None) -> None:
        self._read_id = _reader(id)
        self._read_order = None if sort_by is None else _reader(sort_by)

    # ---- Reading ---------------------------------------------------------------------------------

    def initial_state(self, items: Iterable[Entity] = (), /, **members: Any) -> Any:
        """A collection that has these entities, and these members besides. O(n log n)."""
        return self.set_all({"ids": [], "entities": {}, **members}, items)

    def select_all(self, state: Any, /) -> list[Any]:
        """All entities, in order. O(n log n)."""
        entities = state["entities"]
        return [entities[str(id)] for id in state["ids"]]

    def select_by_id(self, state: Any, id: Id, /) -> Any:
        """The entity that has an id, or None. O(log n)."""
        return state["entities"].get(str(id))

    # ---- Changing --------------------------------------------------------------------------------

    def add_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, unless there is one that has its id."""
        return produce(self._add, state, [item])

    def add_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds those entities whose id none has."""
        return produce(self._add, state, items)

    def set_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, or puts it in place of the one that has its id."""
        return produce(self._set, state, [item])

    def set_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds entities, or puts them in place of those that have their ids."""
        return produce(self._set, state, items)

    def set_all(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Puts entities in place of all there are. O(n log n) for n new ones."""
        return produce(self._set_all, state, items)

    def update_one(self, state: Any, id: Id, changes: Entity, /) -> Any:
        """Sets some members of the entity that has an id, if there is one."""
        return produce(self._update, state, {id: changes})

    def update_many(self, state: Any, changes: Mapping[Id, Entity], /) -> Any:
        """Sets some members of each entity, by id."""
        return produce(self._update, state, changes)

    def upsert_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, or sets its members in the one that has its id."""
        return produce(self._upsert, state, [item])

    def upsert_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds each entity, or sets its members in the one that has its id."""
        return produce(self._upsert, state, items)

    def remove_one(self, state: Any, id: Id, /) -> Any:
        """Removes the entity that has an id, if there is one."""
        return produce(self._remove, state, [id])

    def remove_many(self, state: Any, ids: Iterable[Id], /) -> Any:
        """Removes the entities that have these ids."""
        return produce(self._remove, state, ids)

    def remove_all(self, state: Any, /) -> Any:
        """Removes all entities."""
        return produce(self._set_all, state, ())

    # ---- On a draft ------------------------------------------------------------------------------

    def _add(self, draft: Any, items: Iterable[Entity]) -> None:
        for item in items:
            if str(self._id(item)) not in draft["entities"]:
                self._set(draft, [item])

    def _set(self, draft: Any, items: Iterable[Entity]) -> None:
        entities = draft["entities"]
        for item in items:
            id = self._id(item)
            if str(id) in entities:
                self._move(draft, peek(entities, str(id)), item)
            else:
                draft["ids"].insert(self._place(draft, item), id)
            entities[str(id)] = item

    def _set_all(self, draft: Any, items: Iterable[Entity]) -> None:
        by_id = {self._id(item): item for item in items}
        ids = list(by_id)
        if self._read_order is not None:
            ids.sort(key=lambda id: self._rank(by_id[id]))
        draft["ids"] = ids
        draft["entities"] = {str(id): item for id, item in by_id.items()}

    def _update(self, draft: Any, changes: Mapping[Id, Entity]) -> None:
        for id, members in changes.items():
            if str(id) not in draft["entities"]:
                continue
            entity = draft["entities"][str(id)]
            changed = {**value(entity), **members}
            if str(self._id(changed)) != str(id):
                raise InvalidArgumentError(
                    f"an update cannot change the id of an entity: {id!r} to {self._id(changed)!r}"
                )
            self._move(draft, entity, changed)
            entity.update(members)

    def _upsert(self, draft: Any, items: Iterable[Entity]) -> None:
        for item in items:
            id = self._id(item)
            if str(id) in draft["entities"]:
                self._update(draft, {id: item})
            else:
                self._set(draft, [item])

    def _remove(self, draft: Any, ids: Iterable[Id]) -> None:
        entities = draft["entities"]
        gone = {str(id) for id in ids if str(id) in entities}
        if self._read_order is None:
            listed = enumerate(value(draft["ids"]).to_python()) if gone else ()
            for at in sorted((at for at, id in listed if str(id) in gone), reverse=True):
                del draft["ids"][at]
        else:
            for key in gone:
                del draft["ids"][self._place(draft, peek(entities, key))]
        for key in gone:
            del entities[key]

    def _move(self, draft: Any, before: Entity, after: Entity) -> None:
        """Lists an entity, before it becomes another, where that belongs."""
        if self._read_order is not None and self._rank(before) != self._rank(after):
            id = draft["ids"].pop(self._place(draft, before))
            draft["ids"].insert(self._place(draft, after), id)

    def _place(self, draft: Any, item: Entity) -> int:
        """Where an entity is listed, or is to be."""
        ids, entities = draft["ids"], draft["entities"]
        low, high = 0, len(ids)
        if self._read_order is None:
            return high
        rank = self._rank(item)
        while low < high:
            middle = (low + high) // 2
            if self._rank(peek(entities, str(ids[middle]))) < rank:
                low = middle + 1
            else:
                high = middle
        return low

    def _rank(self, item: Entity) -> tuple[Any, str]:
        assert self._read_order is not None
        return self._read_order(item), str(self._id(item))

    def _id(self, item: Entity) -> Id:
        id = self._read_id(item)
        if isinstance(id, (str, int)) and not isinstance(id, bool):
            return id
        raise InvalidArgumentError(f"the id of an entity is a str or an int, not {id!r}")


def entities(*, id: Reading = "id", sort_by: Reading | None = None) -> Entities:
    """Makes what reads and changes collections of entities.

        todos = imd.entities(sort_by="title")
        state = todos.initial_state([{"id": 7, "title": "Write"}])
        state = todos.update_one(state, 7, {"title": "Read"})

    A collection is an object: "entities" holds each entity by its id as text, "ids" their ids in
    order. id tells the id of an entity, sort_by what to order by: each the name of a member, or a
    function of the entity. What ranks alike is in order of ids; without sort_by, all are in the
    order in which they were added.

    What changes a collection returns the next one; a draft it changes in place, and returns it.

    Complexity: adding, setting and updating takes O(log n), O(log² n) if sorted; so does removing
    if sorted, but else O(n), as the place of the id has to be found.
    """
    return Entities(id, sort_by)


def _reader(reading: Reading) -> Callable[[Any], Any]:
    if isinstance(reading, str):
        return lambda entity: entity[reading]
    return reading
