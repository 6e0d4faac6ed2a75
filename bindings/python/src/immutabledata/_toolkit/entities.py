"""Collections of entities, found by id and listed in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Callable, Union

from .._values import peek, produce, value
from ..errors import InvalidArgumentError

Id = Union[str, int]
Entity = Mapping[str, Any]
KeyFunction = Union[str, Callable[[Any], Any]]
"""The name of a member of an entity, or a function that takes the entity."""


class Entities:
    """Reads and changes collections of entities; see entities."""

    __slots__ = ("_id_of", "_sort_key")

    def __init__(self, id: KeyFunction, sort_by: KeyFunction | None) -> None:
        self._id_of = _key_function(id)
        self._sort_key = None if sort_by is None else _key_function(sort_by)

    # ---- Reading ---------------------------------------------------------------------------------

    def initial_state(self, items: Iterable[Entity] = (), /, **members: Any) -> Any:
        """A collection of the entities, with additional members. O(n log n)."""
        return self.set_all({"ids": [], "entities": {}, **members}, items)

    def select_all(self, state: Any, /) -> list[Any]:
        """All entities, in order. O(n log n)."""
        entities = state["entities"]
        return [entities[str(id)] for id in state["ids"]]

    def select_by_id(self, state: Any, id: Id, /) -> Any:
        """The entity with an id, or None. O(log n)."""
        return state["entities"].get(str(id))

    # ---- Changing --------------------------------------------------------------------------------

    def add_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, unless one with its id exists."""
        return produce(self._add, state, [item])

    def add_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds the entities whose ids do not exist."""
        return produce(self._add, state, items)

    def set_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, or replaces the one with its id."""
        return produce(self._set, state, [item])

    def set_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds each entity, or replaces the one with its id."""
        return produce(self._set, state, items)

    def set_all(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Replaces all entities. O(n log n), where n is the number of new entities."""
        return produce(self._set_all, state, items)

    def update_one(self, state: Any, id: Id, changes: Entity, /) -> Any:
        """Sets some members of the entity with an id, if it exists."""
        return produce(self._update, state, {id: changes})

    def update_many(self, state: Any, changes: Mapping[Id, Entity], /) -> Any:
        """Sets some members of several entities; changes has them by id."""
        return produce(self._update, state, changes)

    def upsert_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, or sets its members in the existing one."""
        return produce(self._upsert, state, [item])

    def upsert_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds each entity, or sets its members in the existing one."""
        return produce(self._upsert, state, items)

    def remove_one(self, state: Any, id: Id, /) -> Any:
        """Removes the entity with an id, if it exists."""
        return produce(self._remove, state, [id])

    def remove_many(self, state: Any, ids: Iterable[Id], /) -> Any:
        """Removes the entities with the ids that exist."""
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
                draft["ids"].insert(self._position(draft, item), id)
            entities[str(id)] = item

    def _set_all(self, draft: Any, items: Iterable[Entity]) -> None:
        by_id = {str(self._id(item)): item for item in items}
        listed = list(by_id.values())
        if self._sort_key is not None:
            listed.sort(key=self._rank)
        draft["ids"] = [self._id(item) for item in listed]
        draft["entities"] = by_id

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
        removed = {str(id) for id in ids if str(id) in entities}
        if self._sort_key is None:
            listed = enumerate(value(draft["ids"]).to_python()) if removed else ()
            for at in sorted((at for at, id in listed if str(id) in removed), reverse=True):
                del draft["ids"][at]
        else:
            for key in removed:
                del draft["ids"][self._position(draft, peek(entities, key))]
        for key in removed:
            del entities[key]

    def _move(self, draft: Any, before: Entity, after: Entity) -> None:
        """Moves an id to its new position, before its entity changes."""
        if self._sort_key is not None and self._rank(before) != self._rank(after):
            id = draft["ids"].pop(self._position(draft, before))
            draft["ids"].insert(self._position(draft, after), id)

    def _position(self, draft: Any, item: Entity) -> int:
        """The index of an entity's id in "ids", or where to insert it."""
        ids, entities = draft["ids"], draft["entities"]
        low, high = 0, len(ids)
        if self._sort_key is None:
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
        assert self._sort_key is not None
        return self._sort_key(item), str(self._id(item))

    def _id(self, item: Entity) -> Id:
        id = self._id_of(item)
        if isinstance(id, (str, int)) and not isinstance(id, bool):
            return id
        raise InvalidArgumentError(f"the id of an entity must be a str or an int, not {id!r}")


def entities(*, id: KeyFunction = "id", sort_by: KeyFunction | None = None) -> Entities:
    """Makes functions that read and change collections of entities.

        todos = imd.entities(sort_by="title")
        state = todos.initial_state([{"id": 7, "title": "Write"}])
        state = todos.update_one(state, 7, {"title": "Read"})

    A collection is an object: "entities" has each entity by its id as text, and "ids" has the ids
    in order. id and sort_by say where to find the id and the sort key of an entity: each is the
    name of a member, or a function that takes the entity. Entities with equal keys are in order of
    their ids. Without sort_by, entities are in the order in which they were added.

    Functions that change a collection return the next one; a draft is changed in place and
    returned.

    Complexity: adding, setting and updating takes O(log n); O(log² n) if sorted. Removing takes
    O(log² n) if sorted, and O(n) otherwise, to find the position of the id.
    """
    return Entities(id, sort_by)


def _key_function(key: KeyFunction) -> Callable[[Any], Any]:
    if isinstance(key, str):
        return lambda entity: entity[key]
    return key
