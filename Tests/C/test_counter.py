"""The example counter_ncurses in a real terminal.

    test_counter.py PROGRAM
"""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "apps/terminal/src/immutabledata_terminal/testing"))
from terminal import Terminal  # noqa: E402

PROGRAM = sys.argv[1]
LARGEST = 2**63 - 1
SMALLEST = -(2**63)
KEYS = "+ increment  - decrement  q quit"


def in_one_line(text):
    return " ".join(text.split())


class Counter(unittest.TestCase):
    def start(self, *arguments, term="xterm-256color", size=(80, 24)):
        """Starts the program as a shell would, which then shows its status and the terminal's."""
        start = 'echo $$ >"$0"; exec "$@"'
        script = 'sh -c "$@"; echo "status $?"; stty; exec cat'
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.pid = Path(folder.name, "pid")
        program = ["env", f"TERM={term}", PROGRAM, *arguments]
        command = ["sh", "-c", script, "sh", start, self.pid, *program]
        terminal = Terminal(Path(folder.name), command, size)
        self.addCleanup(terminal.__exit__)
        return terminal

    def check_end(self, terminal, status):
        """The program has ended with a status, and restored the terminal."""
        shown = terminal.wait_for(f"status {status}", "baud", gone=[KEYS])
        self.assertNotIn("-icanon", shown)
        self.assertNotIn("-echo", shown.split())

    def test_keys(self):
        terminal = self.start()
        terminal.wait_for(" Counter ", " 0 ", KEYS)
        terminal.press("+")
        terminal.wait_for(" 1 ")
        terminal.press("Up", "Up", "x")
        terminal.wait_for(" 3 ")
        terminal.press("-", "Down", "-", "-")
        terminal.wait_for(" -1 ")
        terminal.press("q")
        self.check_end(terminal, 0)

    def test_mouse(self):
        terminal = self.start()
        shown = terminal.wait_for(" 0 ", KEYS).splitlines()
        row = next(index for index, line in enumerate(shown) if " - " in line)

        def click(column, row=row):
            """A press of the first button, as a terminal reports it (SGR 1006)."""
            terminal.type(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

        minus, plus = shown[row].index("-"), shown[row].index("+")
        # ncurses can drop a click that follows at once.
        for column, value in [(plus, 1), (minus, 0), (minus - 3, -1), (plus + 3, 0)]:
            click(column)
            terminal.wait_for(f" {value} ")
        click(minus - 4)
        click(plus, row + 1)
        terminal.press("+")
        terminal.wait_for(" 1 ")

    def test_the_ends_of_the_range(self):
        for value, out, back, hint in [
            (LARGEST, "+", "-", "the largest value it can have; decrement it instead"),
            (SMALLEST, "-", "+", "the smallest value it can have; increment it instead"),
        ]:
            with self.subTest(value):
                terminal = self.start(value)
                terminal.wait_for(str(value), KEYS)
                terminal.press(out)
                shown = in_one_line(terminal.wait_for("instead"))
                self.assertIn(f"the counter is at {value}, {hint}", shown)
                terminal.press(back)
                terminal.wait_for(str(value - value // abs(value)), gone=["instead"])
                terminal.press("q")
                self.check_end(terminal, 0)

    def test_resize(self):
        terminal = self.start(LARGEST, size=(40, 12))
        terminal.wait_for(" Counter ", KEYS)
        terminal.press("+")
        terminal.wait_for("instead")
        terminal.resize(24, 5)
        shown = terminal.wait_for("+\n", "the counter is at", gone=["Counter"])
        self.assertEqual(shown.split()[0], str(LARGEST))
        terminal.resize(200, 50)
        framed = f" {LARGEST}        "
        shown = terminal.wait_for(framed, "instead", KEYS).splitlines()
        self.assertEqual(next(line for line in shown if framed in line).index(framed), 89)
        terminal.resize(1, 1)
        terminal.wait_for(gone=["Counter"])
        terminal.press("q")
        terminal.resize(80, 24)
        self.check_end(terminal, 0)

    def test_without_colors(self):
        terminal = self.start(LARGEST, term="vt100")
        terminal.wait_for(" Counter ", KEYS)
        terminal.press("+")
        terminal.wait_for("instead")
        terminal.press("q")
        self.check_end(terminal, 0)

    def test_signals(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            with self.subTest(number):
                terminal = self.start()
                terminal.wait_for(" Counter ", KEYS)
                os.kill(int(self.pid.read_text()), number)
                self.check_end(terminal, 128 + number)

    def test_ctrl_c(self):
        terminal = self.start()
        terminal.wait_for(" Counter ", KEYS)
        terminal.press("C-c")
        terminal.wait_for_end()  # the shell ends, too

    def test_an_unknown_terminal(self):
        for term, message in [
            ("", "TERM is not set; set it to the type of your terminal, such as xterm-256color"),
            ("nonsense", 'cannot use a terminal of the type "nonsense"; set TERM to the type'),
            ("dumb", 'cannot use a terminal of the type "dumb"; set TERM to the type'),
        ]:
            with self.subTest(term):
                terminal = self.start(term=term)
                shown = terminal.wait_for("status 1").replace("\n", "")  # the screen breaks it
                self.assertIn(f"counter_ncurses: {message}", shown)
                self.check_end(terminal, 1)

    def check_message(self, arguments, status, message):
        result = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (status, ""))
        self.assertEqual(result.stderr, message)

    def test_without_a_terminal(self):
        self.check_message([], 1, "counter_ncurses: standard input or output is not a terminal; "
                                  "start the program in a terminal\n")

    def test_an_invalid_value(self):
        usage = "usage: counter_ncurses [VALUE]; VALUE is an integer of 64 bits\n"
        for value in ["", "1x", "one", "9223372036854775808"]:
            with self.subTest(value):
                self.check_message([value], 2, usage)
        self.check_message(["1", "2"], 2, usage)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
