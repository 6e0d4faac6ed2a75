"""A network that fails: a TCP proxy which cuts connections, delays and stops what passes, and
swallows the answers of a server, as a seed decides."""

import asyncio
import contextlib
import random
import threading

# What may happen to a connection after some messages of the server, and how often each does.
FAULTS = {"delay": 3, "stop": 4, "swallow": 3, "cut": 2, "cut a message": 1, "reset": 1}


class Proxy:
    """Passes connections to a port of this machine on, until `close`.

    seed decides what happens to the first connection, the second one and so on. period is the mean
    number of messages of the server between two faults of a connection. pause is how long it stops
    what passes at most, in seconds.
    """

    def __init__(self, port, seed, period, pause):
        self.target, self.seed, self.period, self.pause = port, seed, period, pause
        self.is_failing = True
        self.faults = dict.fromkeys(FAULTS, 0)
        self._connections = 0
        self._writers = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def heal(self):
        """Lets all pass from now on, on new connections: those that there are end."""
        self.is_failing = False
        self._run(self._cut_all())

    async def _cut_all(self):
        for writer in list(self._writers):
            writer.transport.abort()

    def close(self):
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self):
        self._server.close()
        await self._cut_all()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader, writer):
        self._connections += 1
        choices = random.Random(f"{self.seed} {self._connections}")
        ends = [writer]
        try:
            server, to_server = await asyncio.open_connection("127.0.0.1", self.target)
            ends.append(to_server)
            self._writers.update(ends)
            flow = Flow(choices)
            passes = [
                self._pass(reader, to_server, flow),
                self._pass(server, writer, flow, is_answer=True),
            ]
            tasks = [asyncio.ensure_future(each) for each in passes]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass  # the server is down, or the proxy is closed
        finally:
            for each in ends:
                self._writers.discard(each)
                each.close()

    async def _pass(self, reader, writer, flow, is_answer=False):
        """Passes messages on in one direction, until the connection ends or is cut."""
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await flow.may_pass.wait()
                if is_answer and self.is_failing:
                    data = await self._fail(data, writer, flow)
                    if data is None:
                        return
                writer.write(data)
                await writer.drain()

    async def _fail(self, data, writer, flow):
        """What passes of an answer; None if the connection is cut."""
        if flow.is_swallowed:
            return b""
        if flow.choices.random() >= 1 / self.period:
            return data
        fault = flow.choices.choices(list(FAULTS), list(FAULTS.values()))[0]
        self.faults[fault] += 1
        pause = flow.choices.uniform(0, self.pause)
        if fault == "delay":  # the answer only
            await asyncio.sleep(pause / 4)
        elif fault == "stop":  # what follows, such as a request, which then arrives late
            flow.may_pass.clear()
            self._loop.call_later(pause, flow.may_pass.set)
        elif fault == "swallow":
            flow.is_swallowed = True
            return b""
        elif fault == "cut a message":
            writer.write(data[: flow.choices.randrange(len(data))])
            return None
        elif fault == "reset":
            writer.transport.abort()
            return None
        elif fault == "cut":
            return None
        return data


class Flow:
    """What the two directions of a connection share."""

    def __init__(self, choices):
        self.choices = choices
        self.may_pass = asyncio.Event()
        self.may_pass.set()
        self.is_swallowed = False
