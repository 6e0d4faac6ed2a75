"""Asynchronous iteration over the outputs of a selector."""

import asyncio
import gc
import weakref
from threading import Thread

import pytest
from reducers import merge, reduce

import immutabledata as imd


def test_outputs(app):
    async def main():
        seen = []
        async for a in app.outputs("a"):
            seen.append(a)
            if a == 3:
                return seen
            merge(app, a=a + 1)

    assert asyncio.run(main()) == [0, 1, 2, 3]
    gc.collect()
    assert app.statistics()["observations"] == 0


def test_arguments(app):
    async def main():
        above = app.outputs("above", arguments={"least": 1})
        assert await above.__anext__() == [2]
        await above.aclose()
        async for output in app.outputs("above", arguments={"least": 0}):
            return output

    assert asyncio.run(main()) == [1, 2]


def test_only_the_latest_output_is_kept(app):
    async def main(capacity):
        seen = []
        outputs = app.outputs("a", capacity=capacity)
        seen.append(await outputs.__anext__())
        for number in range(1, 10):
            merge(app, a=number)
        for _ in range(capacity):
            seen.append(await outputs.__anext__())
        await outputs.aclose()
        merge(app, a=0)
        return seen

    assert asyncio.run(main(1)) == [0, 9]
    assert asyncio.run(main(3)) == [0, 7, 8, 9]


async def outputs_for(app, actions, **options):
    """The outputs of "a" for actions, each a type and a number."""
    outputs = app.outputs("a", capacity=len(actions) + 1, **options)
    seen = [await outputs.__anext__()]
    for type, number in actions:
        app.dispatch(type, payload={"a": number})
    # Ends the iteration after the outputs that have arrived.
    app.close()
    return seen + [output async for output in outputs]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"did_change": None, "filter": None}, [0, 1, 2, 3, 4]),
        ({"did_change": lambda delivered, output: output - delivered >= 2}, [0, 2, 4]),
        ({"filter": lambda action, old, new: action["type"] == "merge"}, [0, 1, 4]),
    ],
)
def test_a_comparison_and_a_filter(app, options, expected):
    actions = ("merge", 1), ("skipped", 2), ("skipped", 3), ("merge", 4)
    assert asyncio.run(outputs_for(app, actions, **options)) == expected


def test_a_comparison_that_raises(app):
    errors = []
    app.on_error = lambda error, callback: errors.append((type(error), callback))

    def fails(delivered, output):
        return 1 / 0

    seen = asyncio.run(outputs_for(app, [("merge", 1)], did_change=fails))
    assert seen == [0, 1]
    assert errors == [(ZeroDivisionError, fails)]


def test_the_name_of_a_filter():
    async def main(store):
        outputs = store.outputs(
            "selectAnimalsValues", filter="filterAnimals", arguments={"categoryId": "Bird"}
        )
        assert await outputs.__anext__() == []
        store.dispatch("ui/animalList/onAppear")
        async for animals in outputs:
            return animals

    with imd.open("animals") as store:
        assert len(asyncio.run(main(store))) == 1


@pytest.mark.parametrize("option", ["did_change", "filter"])
def test_other_comparisons_and_filters(app, option):
    for value in 5, lambda one: True:
        with pytest.raises(TypeError, match=f"{option} must be a function that takes"):
            app.outputs("a", **{option: value})


def test_dispatches_of_another_thread(app):
    async def main():
        thread = Thread(target=lambda: [merge(app, a=number) for number in range(1, 200)])
        seen = []
        async for a in app.outputs("a"):
            if not seen:
                thread.start()
            seen.append(a)
            if a == 199:
                break
        thread.join()
        return seen

    seen = asyncio.run(main())
    assert seen[0] == 0
    assert seen == sorted(set(seen))


def test_closing_ends_the_iteration(app):
    async def main(close):
        seen = []
        async for a in app.outputs("a"):
            seen.append(a)
            close()
        return seen

    def close_from_a_thread():
        thread = Thread(target=app.close)
        thread.start()
        thread.join()

    assert asyncio.run(main(close_from_a_thread)) == [0]
    with pytest.raises(imd.ClosedError):
        asyncio.run(main(app.close))


def test_cancelling_the_task_ends_the_observation(app):
    async def follow(begun):
        async for _ in app.outputs("a"):
            begun.set()

    async def main():
        begun = asyncio.Event()
        task = asyncio.ensure_future(follow(begun))
        await begun.wait()
        assert app.statistics()["observations"] == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert app.statistics()["observations"] == 0

    asyncio.run(main())


def test_poll_is_not_affected(app):
    async def main():
        queued = []
        app.observe("a", queued.append, when="queued")
        outputs = app.outputs("a")
        assert await outputs.__anext__() == 0
        merge(app, a=1)
        assert await outputs.__anext__() == 1
        await outputs.aclose()
        assert queued == []
        assert app.poll() == 2
        assert queued == [0, 1]

    asyncio.run(main())


def test_a_loop_polls(app):
    async def main():
        loop = asyncio.get_running_loop()
        output = loop.create_future()
        app.observe("a", output.set_result, when="queued", initial=False)
        loop.add_reader(app, app.poll)
        try:
            merge(app, a=1)
            assert await output == 1
        finally:
            loop.remove_reader(app)

    asyncio.run(main())


def test_a_selector_that_fails(app):
    async def main():
        outputs = app.outputs("largest")
        assert await outputs.__anext__() == 2
        merge(app, list=[1, "x"])
        with pytest.raises(imd.InvalidSelectorError):
            await outputs.__anext__()
        with pytest.raises(StopAsyncIteration):
            await outputs.__anext__()

    asyncio.run(main())
    assert app.statistics()["observations"] == 0


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda app: app.outputs("c"), imd.UnknownSelectorError),
        (lambda app: app.outputs("a", x=1), imd.InvalidArgumentError),
        (lambda app: app.outputs("a", capacity=0), imd.InvalidArgumentError),
        (lambda app: app.outputs("a", capacity=2**63), imd.InvalidArgumentError),
        (lambda app: app.outputs("a", capacity="1"), TypeError),
        (lambda app: app.outputs("a", arguments=1), TypeError),
        (lambda app: app.outputs(1), TypeError),
    ],
)
def test_invalid_arguments(app, make, kind):
    async def main():
        with pytest.raises(kind):
            await make(app).__anext__()

    asyncio.run(main())
    assert app._observations == {}


def test_a_closed_loop_does_not_affect_dispatches(app, unraisable):
    # Without asyncio.run, which would close the generator.
    loop = asyncio.new_event_loop()
    outputs = app.outputs("a")
    assert loop.run_until_complete(outputs.__anext__()) == 0
    loop.close()
    merge(app, a=1)
    merge(app, a=2)
    app.close()
    assert unraisable == []


def test_nothing_is_left():
    async def main(app):
        async for _ in app.outputs("a"):
            break

    app = imd.Store(reduce, state={"a": 0})
    app.define("a", "a")
    asyncio.run(main(app))
    reference = weakref.ref(app)
    del app
    gc.collect()
    assert reference() is None


def test_a_step_that_is_cancelled_loses_nothing(app):
    async def main():
        outputs = app.outputs("a", capacity=3)
        assert await outputs.__anext__() == 0
        for _ in range(2):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(outputs.__anext__(), 0)
        step = asyncio.ensure_future(outputs.__anext__())
        await asyncio.sleep(0)
        merge(app, a=1)
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step
        merge(app, a=2)
        assert [await outputs.__anext__() for _ in range(2)] == [1, 2]
        await outputs.aclose()
        await outputs.aclose()
        with pytest.raises(StopAsyncIteration):
            await outputs.__anext__()
        assert app.statistics()["observations"] == 0

    asyncio.run(main())


def test_outputs_that_are_closed_before_the_first_step(app):
    async def main():
        outputs = app.outputs("a")
        await outputs.aclose()
        assert [output async for output in outputs] == []

    asyncio.run(main())


def test_two_tasks_share_the_outputs(app):
    async def main():
        outputs = app.outputs("a", capacity=3)
        assert await outputs.__anext__() == 0
        steps = [asyncio.ensure_future(outputs.__anext__()) for _ in range(2)]
        await asyncio.sleep(0)
        for number in (1, 2):
            merge(app, a=number)
        assert sorted(await asyncio.gather(*steps)) == [1, 2]

    asyncio.run(main())
