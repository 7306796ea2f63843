"""Pages are computed once, and anew when something changes that they read."""

from __future__ import annotations

from gui_gym.devices.phone.app import App
from gui_gym.devices.phone.records import FrozenMap, Record, record
from gui_gym.devices.phone.state import Page, Phone, Ui
from gui_gym.devices.phone.ui import View, paragraph
from gui_gym.devices.phone.views import Glance, Views


@record
class Words(Record):
    words: str = "none"


class Counting(App):
    """Counts how often its page is computed; `reads` says which fields of the phone the page reads."""

    name = "counting"
    label = "Counting"
    icon = "info"

    def __init__(self, *reads: str):
        self.reads = reads
        self.calls = 0

    def view(self, data: Words, page: Page, phone: Phone) -> View:
        self.calls += 1
        return View(data.words, tuple(paragraph(str(getattr(phone, name))) for name in self.reads))


PHONE = Phone(FrozenMap(counting=Words()), Ui(front="counting"))


def on_page(phone: Phone, page: Page) -> Phone:
    return phone.set(ui=phone.ui.set(stacks=phone.ui.stacks.set("counting", (page,))))


def calls(app: Counting, *phones: Phone) -> int:
    views = Views({"counting": app})
    for phone in phones:
        view, timed = views.front(phone)
        assert view == app.view(phone.data["counting"], phone.ui.stacks.get("counting", (Page(),))[-1], phone)
        assert timed == ("clock" in app.reads)
    return app.calls - len(phones)


def test_a_page_that_reads_nothing_of_the_phone() -> None:
    other = PHONE.set(ui=PHONE.ui.set(toast="Done"), clock=1, day=3)
    scrolled = on_page(other, Page(scroll=40))
    assert calls(Counting(), PHONE, other, scrolled) == 1
    assert calls(Counting(), PHONE, on_page(PHONE, Page("second")), PHONE) == 2
    assert calls(Counting(), PHONE, on_page(PHONE, Page(form=FrozenMap(a="x")))) == 2
    assert calls(Counting(), PHONE, PHONE.set(data=FrozenMap(counting=Words("some")))) == 2


def test_what_was_read_counts() -> None:
    late = PHONE.set(clock=PHONE.clock + 2)
    assert calls(Counting("clock"), PHONE, late, PHONE) == 2
    assert calls(Counting("day"), PHONE, late, PHONE.set(day=1)) == 2
    assert calls(Counting("ui"), PHONE, late, PHONE.set(ui=PHONE.ui.set(focus="a"))) == 2
    assert calls(Counting("notifications"), PHONE, late, PHONE.set(ui=PHONE.ui.set(focus="a"))) == 1
    assert calls(Counting("data"), PHONE, PHONE.set(data=PHONE.data.set("notes", Words()))) == 2


def test_a_glance_notes_what_is_read() -> None:
    glance = Glance(PHONE)
    assert glance.read == {} and glance.day == PHONE.day and glance.read == {"day": PHONE.day}
    changed = Glance(PHONE).set(clock=5)
    assert type(changed) is Phone and changed == PHONE.set(clock=5)
    every = Glance(PHONE)
    assert every.values() == PHONE.values() and list(every.read) == list(Phone._names)
