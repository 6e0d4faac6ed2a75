"""Collections of entities, found by id and listed in order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Protocol, Union

from .._values import ArrayValue, ObjectValue, peek, plain, produce, quoted, require_function, restoring, value
from ..errors import InvalidArgumentError, wrong_type

Id = Union[str, int]
Entity = Mapping[str, Any]
KeyFunction = Union[str, Callable[[Any], Any]]
"""The name of a member of an entity, or a function that takes the entity."""


class _SelectorOwner(Protocol):
    """A Store, whose module this one must not import."""

    def define(self, name: str, selector: str, /) -> None: ...


class Entities:
    """Reads and changes collections of entities; see entities."""

    __slots__ = ("_id_of", "_sort_key")

    def __init__(self, id: KeyFunction, sort_by: KeyFunction | None) -> None:
        self._id_of = _key_function(id, "id")
        self._sort_key = None if sort_by is None else _key_function(sort_by, "sort_by")

    # ---- Reading ---------------------------------------------------------------------------------

    def initial_state(self, items: Iterable[Entity] = (), /, **members: Any) -> Any:
        """A collection of the entities, with additional members. O(n log n)."""
        return self.set_all({"ids": [], "entities": {}, **members}, items)

    def select_all(self, state: Any, /) -> list[Any]:
        """All entities, in order. O(n log n)."""
        try:
            entities = state["entities"]
            return [entities[_text(id)] for id in state["ids"]]
        except (KeyError, TypeError):
            _require_collection(state)
            raise

    def select_by_id(self, state: Any, id: Id, /) -> Any:
        """The entity with an id, or None. O(log n)."""
        try:
            return state["entities"].get(_text(id))
        except (AttributeError, KeyError, TypeError):
            _require_collection(state)
            raise

    # ---- Selectors of a store --------------------------------------------------------------------

    def define(self, store: _SelectorOwner, prefix: str, /, at: str | None = None) -> None:
        """Defines the selectors of a collection in a store:

            todos.define(store, "todos")
            store.observe("todos.byId", show, arguments={"id": "7"})

        "todos.all": the entities, in order. O(n) after a change.
        "todos.ids": their ids, in order.
        "todos.byId": the entity with the argument id, or None. An observer is called only if this
            entity changes; write the id as text, so that it is not even visited for others.
        "todos.total": the number of entities.
        "todos.sorted": the entities, by the member that the argument by names. O(n log n) after a
            change.

        at: where in the state the collection is, as an expression; the prefix by default.

        Raises what Store.define does.
        """
        prefix = plain(prefix)
        place = prefix if at is None else plain(at)
        listed = f"let $all = ({place}).entities in ({place}).ids[].get($all, to_string(@))"
        store.define(f"{prefix}.all", listed)
        store.define(f"{prefix}.ids", f"({place}).ids")
        store.define(f"{prefix}.byId", f"get(({place}).entities, $id)")
        store.define(f"{prefix}.total", f"length(({place}).ids)")
        store.define(f"{prefix}.sorted", f"sort_by(values(({place}).entities), &get(@, $by))")

    # ---- Changing --------------------------------------------------------------------------------

    def add_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, unless one with its id exists."""
        return _change(self._add, state, [item])

    def add_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds the entities whose ids do not exist."""
        return _change(self._add, state, _several(items, "add_one"))

    def set_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, or replaces the one with its id."""
        return _change(self._set, state, [item])

    def set_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds each entity, or replaces the one with its id."""
        return _change(self._set, state, _several(items, "set_one"))

    def set_all(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Replaces all entities. O(n log n), where n is the number of new entities."""
        return _change(self._set_all, state, _several(items))

    def update_one(self, state: Any, id: Id, changes: Entity, /) -> Any:
        """Sets some members of the entity with an id, if it exists."""
        return _change(self._update, state, [(id, changes)])

    def update_many(self, state: Any, changes: Mapping[Id, Entity], /) -> Any:
        """Sets some members of several entities; changes has them by id."""
        if not isinstance(changes, Mapping):
            raise wrong_type("the changes", "a Mapping from ids to changed members", changes)
        return _change(self._update, state, changes.items())

    def upsert_one(self, state: Any, item: Entity, /) -> Any:
        """Adds an entity, or sets its members in the existing one."""
        return _change(self._upsert, state, [item])

    def upsert_many(self, state: Any, items: Iterable[Entity], /) -> Any:
        """Adds each entity, or sets its members in the existing one."""
        return _change(self._upsert, state, _several(items, "upsert_one"))

    def remove_one(self, state: Any, id: Id, /) -> Any:
        """Removes the entity with an id, if it exists."""
        return _change(self._remove, state, [id])

    def remove_many(self, state: Any, ids: Iterable[Id], /) -> Any:
        """Removes the entities with the ids that exist."""
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise wrong_type("the ids", "an iterable of ids", ids)
        return _change(self._remove, state, ids)

    def remove_all(self, state: Any, /) -> Any:
        """Removes all entities."""
        return _change(self._set_all, state, ())

    # ---- On a draft ------------------------------------------------------------------------------

    def _add(self, draft: Any, items: Iterable[Entity]) -> None:
        for item in items:
            if not self._contains(draft["entities"], self._id(item)):
                self._set(draft, [item])

    def _set(self, draft: Any, items: Iterable[Entity]) -> None:
        entities = draft["entities"]
        for item in items:
            id = self._id(item)
            # Before the ids change: what cannot be done must leave all as it was.
            if self._contains(entities, id):
                places = self._places(draft, peek(entities, _text(id)), item)
                entities[_text(id)] = item
                self._move(draft, places)
            else:
                position = self._position(draft, item)
                entities[_text(id)] = item
                draft["ids"].insert(position, id)

    def _set_all(self, draft: Any, items: Iterable[Entity]) -> None:
        by_id: dict[str, Entity] = {}
        for item in items:
            id = self._id(item)
            self._contains(by_id, id)
            by_id[_text(id)] = item
        listed = list(by_id.values())
        if self._sort_key is not None:
            listed.sort(key=self._rank)
        draft["ids"] = [self._id(item) for item in listed]
        draft["entities"] = by_id

    def _update(self, draft: Any, changes: Iterable[tuple[Id, Entity]]) -> None:
        for id, members in changes:
            key = _key(id)
            if not isinstance(members, Mapping):
                raise wrong_type("the changes of an entity", "a Mapping", members)
            if key not in draft["entities"]:
                continue
            entity = draft["entities"][key]
            changed = {**value(entity), **members}
            before, after = self._id(entity), self._id(changed)
            if before != after:
                raise InvalidArgumentError(
                    f"an update cannot change the id of an entity: {before!r} to {after!r}"
                )
            places = self._places(draft, entity, changed)
            entity.update(members)
            self._move(draft, places)

    def _upsert(self, draft: Any, items: Iterable[Entity]) -> None:
        for item in items:
            id = self._id(item)
            if self._contains(draft["entities"], id):
                self._update(draft, [(id, item)])
            else:
                self._set(draft, [item])

    def _remove(self, draft: Any, ids: Iterable[Id]) -> None:
        entities = draft["entities"]
        removed = {key for key in map(_key, ids) if key in entities}
        if self._sort_key is None:
            listed = enumerate(value(draft["ids"]).to_python()) if removed else ()
            for at in sorted((at for at, id in listed if _text(id) in removed), reverse=True):
                del draft["ids"][at]
        else:
            for key in removed:
                del draft["ids"][self._position(draft, peek(entities, key))]
        for key in removed:
            del entities[key]

    def _contains(self, entities: Mapping[str, Entity], id: Id) -> bool:
        """Whether an entity with the id of a new one exists.

        Raises InvalidArgumentError: one id is a str, and the other an int of the same text. One of
        the entities would silently take the place of the other.
        """
        if _text(id) not in entities:
            return False
        existing = self._id(peek(entities, _text(id)))
        if existing != id:
            raise InvalidArgumentError(
                f"the ids {existing!r} and {id!r} are the same key; "
                "write both as a str or as an int"
            )
        return True

    def _places(self, draft: Any, before: Entity, after: Entity) -> tuple[int, int] | None:
        """The index of an id, and where to insert it after its entity has changed; None if it stays.

        Call it before the entity changes.
        """
        if self._sort_key is None or self._rank(before) == self._rank(after):
            return None
        old, new = self._position(draft, before), self._position(draft, after)
        return old, new - (new > old)

    def _move(self, draft: Any, places: tuple[int, int] | None) -> None:
        """Moves an id as _places says."""
        if places is not None:
            draft["ids"].insert(places[1], draft["ids"].pop(places[0]))

    def _position(self, draft: Any, item: Entity) -> int:
        """The index of an entity's id in "ids", or where to insert it."""
        ids, entities = draft["ids"], draft["entities"]
        low, high = 0, len(ids)
        if self._sort_key is None:
            return high
        rank = self._rank(item)
        while low < high:
            middle = (low + high) // 2
            if self._rank(peek(entities, _text(ids[middle]))) < rank:
                low = middle + 1
            else:
                high = middle
        return low

    def _rank(self, item: Entity) -> tuple[Any, str]:
        assert self._sort_key is not None
        return self._sort_key(item), _text(self._id(item))

    def _id(self, item: Entity) -> Id:
        if not isinstance(item, Mapping):
            raise wrong_type("an entity", "a Mapping", item)
        id: Id = self._id_of(item)
        _key(id)
        return id


def entities(*, id: KeyFunction = "id", sort_by: KeyFunction | None = None) -> Entities:
    """Makes functions that read and change collections of entities.

        todos = imd.entities(sort_by="title")
        state = todos.initial_state([{"id": 7, "title": "Write"}])
        state = todos.update_one(state, 7, {"title": "Read"})

    A collection is an object: "entities" has each entity by its id as text, and "ids" has the ids
    in order. id and sort_by say where to find the id and the sort key of an entity: each is the
    name of a member, or a function that takes the entity. Entities with equal keys are in order of
    their ids as text: 10 comes before 9. Without sort_by, entities are in the order in which they
    were added.

    An id is a str or an int. 1 and "1" are the same key: entities with both ids in one collection
    are an error. Where an id is an argument, "1" finds the entity with the id 1.

    define makes the selectors of a collection in a store. Functions that change a collection return
    the next one; a draft is changed in place and
    returned.

    A change raises InvalidArgumentError if the state is not a collection, or an entity has no id or
    sort key; and TypeError if an argument has the wrong shape, such as one entity for add_many.

    Complexity: adding, setting and updating takes O(log n); O(log² n) if sorted. Removing takes
    O(log² n) if sorted, and O(n) otherwise, to find the position of the id.
    """
    return Entities(id, sort_by)


def _key_function(key: KeyFunction, option: str) -> Callable[[Any], Any]:
    """Makes the function for the option id or sort_by."""
    if not isinstance(key, str):
        expected = "the name of a member, or a function that takes an entity"
        require_function(key, option, expected, 1)
        return key
    name = key

    def read(entity: Any) -> Any:
        try:
            return entity[name]
        except KeyError:
            raise InvalidArgumentError(
                f"an entity has no member {quoted(name)}, which is its {option}: {value(entity)!r}"
            ) from None

    return read


def _key(id: Any) -> str:
    """The key of an entity in "entities". Raises InvalidArgumentError: not an id."""
    if isinstance(id, (str, int)) and not isinstance(id, bool):
        return _text(id)
    raise InvalidArgumentError(f"the id of an entity must be a str or an int, not {id!r}")


def _text(id: Id) -> str:
    """An id as text; for a member of an enum, that of its value."""
    if isinstance(id, str):
        return plain(id)
    return int.__repr__(id) if isinstance(id, int) and not isinstance(id, bool) else str(id)


def _change(recipe: Callable[[Any, Any], None], state: Any, argument: Any) -> Any:
    try:
        # One entity needs nothing: what can fail comes before the first change.
        is_one = type(argument) is list and len(argument) == 1
        with contextlib.nullcontext() if is_one else restoring(state):
            return produce(recipe, state, argument)
    except (AttributeError, KeyError, TypeError):
        _require_collection(state)
        raise


def _several(items: Iterable[Entity], function_for_one: str | None = None) -> Iterable[Entity]:
    """Returns the items of a function for many. Raises TypeError if they cannot be entities."""
    if isinstance(items, (str, Mapping)) or not isinstance(items, Iterable):
        error = wrong_type("the entities", "an iterable of entities", items)
        is_one = function_for_one is not None and isinstance(items, Mapping)
        raise TypeError(f"{error}; for one entity, use {function_for_one}") if is_one else error
    return items


def _require_collection(state: Any) -> None:
    """Raises InvalidArgumentError if the state is not a collection."""
    content = value(state)
    if (
        isinstance(content, ObjectValue)
        and isinstance(content.get("ids"), ArrayValue)
        and isinstance(content.get("entities"), ObjectValue)
    ):
        return
    raise InvalidArgumentError(
        "the state must be a collection of entities, as initial_state returns it: an object with "
        f'an array "ids" and an object "entities", not {content!r}'
    ) from None
