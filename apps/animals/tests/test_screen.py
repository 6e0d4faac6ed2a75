"""The layout on screens of three sizes, on which nothing is cut off."""

import pytest

SIZES = [(60, 16), (80, 24), (100, 30)]
at_all_sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))


COMMANDS = ["a Add", "e Edit", "d Delete", "uU Undo", "/ Find", "^r Reload", "q Quit"]


async def test_browses_at_60x16(run):
    async with run((60, 16)) as user:
        await user.until_fetched()
        await user.press("down", "down", "down", "down", "right", "down")
        await user.check_footer(*COMMANDS)
        assert user.screen == [
            "╭─ Categories ─────╮╭─ Animals ────────────────────────────╮",
            "│ Amphibian        ││ ● Cat              Carnivore         │",
            "│ Bird             ││ ● Dog              Carnivore         │",
            "│ Fish             ││ ● Red kangaroo     Herbivore         │",
            "│ Invertebrate     ││ ● Southern gibbon  Herbivore         │",
            "│ Mammal           ││                                      │",
            "│ Reptile          ││                                      │",
            "╰────────────── 6 ─╯╰────────────────────────────────── 4 ─╯",
            "╭─ Animal ─────────────────────────────────────────────────╮",
            "│ Dog                                                      │",
            "│                                                          │",
            "│ Category  Mammal                                         │",
            "│ Diet      ● Carnivore                                    │",
            "╰──────────────────────────────────────────────────────────╯",
            " Ready",
            " a Add  e Edit  d Delete  uU Undo  / Find  ^r Reload  q Quit",
        ]


@at_all_sizes
async def test_browses(run, size):
    async with run(size) as user:
        await user.until_fetched()
        browse = user.browse
        await user.check_footer(*COMMANDS)
        assert user.screen[-2] == " Ready"
        assert ("^p palette" in user.screen[-1]) == (size[0] > 60)
        categories = [line.strip() for line in user.text_of(browse.categories.list)]
        assert categories[:6] == user.categories
        assert user.text_of(browse.animals.list)[0] == "● Newt  Carnivore"
        user.check_whole(browse.detail.text)
        if size != (60, 16):
            assert user.screen[0].split(" ", 2)[2].strip() == "Animals — stand-in"
            buttons = [pane.button for pane in (browse.categories, browse.animals)]
            user.check_whole(*buttons, browse.detail.edit, browse.detail.delete)


@at_all_sizes
async def test_shows_a_failure_and_the_key_that_retries(run, server, size):
    server.errors.append("no connection")
    async with run(size) as user:
        await user.until(lambda: "no connection" in user.status)
        user.check_whole(user.browse.status)
        await user.check_footer(*COMMANDS[:3], "/ Find", "r Retry", *COMMANDS[5:])


@at_all_sizes
async def test_confirms(run, size):
    async with run(size) as user:
        await user.until_fetched()
        await user.press("ctrl+r")
        title, *text, end = [line for line in user.dialog() if line]
        assert title == f"╭─ Reload the sample data {'─' * 29}╮"
        assert text[:2] == ["Replace all categories and animals with the sample", "data?"]
        assert [line.split() for line in text if "Cancel" in line] == [["Cancel", "Reload"]]
        assert end == f"╰{'─' * 54}╯"
        user.check_whole(user.app.screen.question, *user.app.screen.query("Button"))
        await user.check_footer("y Confirm", "n Cancel")


@at_all_sizes
async def test_confirms_to_delete_a_long_name(run, server, size):
    server.animals["Newt"]["name"] = "Great crested newt of the northern ponds and rivers " * 2
    async with run(size) as user:
        await user.until_fetched()
        await user.press("right", "d")
        user.dialog()
        user.check_whole(user.app.screen.question, *user.app.screen.query("Button"))


@at_all_sizes
async def test_edits(run, server, size):
    async with run(size) as user:
        await user.until_fetched()
        await user.press("a")
        title, *text, _ = [line for line in user.dialog() if line.strip("▊▎▔▁ ")]
        assert title == f"╭─ Add an animal {'─' * 38}╮"
        assert [" ".join(line.strip("▊▎▔▁ ").replace("▊", "").split()) for line in text] == [
            "Name What is it called?",
            "Diet What does it eat? ▼",
            "Category Amphibian ▼",
            "To save, enter a name and choose a diet.",
            "Cancel Save",
        ]
        await user.check_footer("^s Save", "esc Cancel")

        # A long failure does not move the buttons off the screen either.
        server.errors.append("the connection was reset by the peer, which may be overloaded")
        await user.press("x", "tab", "enter", "down", "enter", "ctrl+s")
        editor = user.app.screen
        await user.until(lambda: editor.has_failed)
        user.dialog()
        user.check_whole(editor.name_input, editor.message, *editor.query("Button"))


@at_all_sizes
async def test_says_that_the_edited_animal_was_deleted(run, server, size):
    async with run(size) as user:
        await user.until_fetched()
        await user.press("right", "e", "ctrl+u")
        server.send(deleteAnimal={"animal": server.animals["Newt"]})
        editor = user.app.screen
        await user.until(lambda: editor.is_deleted)
        text = str(editor.message.content)
        assert text == "This animal was deleted. Save adds it again.\nTo save, enter a name."
        user.dialog()
        user.check_whole(editor.message, *editor.query("Button"))


@at_all_sizes
async def test_opens_the_lists_of_the_editor(run, size):
    async with run(size) as user:
        await user.until_fetched()
        await user.press("a", "tab", "tab", "enter")
        shown = " ".join(user.screen)
        assert all(f"  {name} " in shown for name in user.categories)


@at_all_sizes
async def test_finds(run, size):
    async with run(size) as user:
        await user.until_fetched()
        await user.press("slash", "r", "d")
        lines = [line.strip("│ ") for line in user.text_of(user.browse.categories)]
        assert lines[1:3] == ["rd", "Bird"]
        assert lines[-1] == "╰───────── 1 of 6 ─╯"
        await user.check_footer("enter To the list", "esc Show all")
