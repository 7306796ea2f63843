"""What the notes, messages and files of a fresh phone say.

* `NOTES`, `FACTS`, `THREADS` - note bodies, notes that hold one fact, conversations, all with `{slot}`s
* `FILE_KINDS`, `FOLDER_NAMES` - names of files by kind, and of folders
* `NEW_TITLES`, `NEW_TEXTS`, `NEW_MESSAGES` - what tasks ask for
* `fill` - a text with its slots drawn from a random stream

Every draw uses the `random.Random` that it is given, so that a seed gives the same words in every process.
"""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

ITEMS = (
    *("milk", "eggs", "bread", "rice", "apples", "tomatoes", "cheese", "coffee", "tea", "lemons", "pasta", "olive oil"),
    *("onions", "butter", "yogurt", "honey", "carrots", "flour", "salt", "bananas", "spinach", "soap", "batteries"),
)
THINGS = (
    *("a tent", "sunscreen", "a rain jacket", "a charger", "hiking boots", "a towel", "a torch", "warm socks", "a hat"),
    *("a camera", "snacks", "a map", "swimwear", "a water bottle", "headphones", "an umbrella", "gloves", "a book"),
)
PLACES = (
    *("the library", "the old harbour", "Green Park", "the station", "Cafe Luna", "the office", "the museum"),
    *("the sports hall", "Maple Street", "the market", "the cinema", "the bakery", "the town hall", "the lake"),
)
EVENTS = (
    *("barbecue", "concert", "picnic", "game night", "workshop", "book club", "birthday party", "hike", "film night"),
    *("quiz", "garden party", "match", "rehearsal", "dinner", "open day", "flea market"),
)
SUBJECTS = (
    *("budget", "website", "contract", "summer trip", "new office", "newsletter", "report", "training plan"),
    *("survey", "launch", "garden", "kitchen", "school project", "insurance", "photo album", "inventory"),
)
TITLES = (
    *("The Quiet River", "A Winter Road", "Paper Boats", "North of Here", "The Glass House", "Small Hours"),
    *("Blue Lantern", "Seven Bridges", "The Last Orchard", "Open Water", "Salt and Stone", "The Long Table"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


class NoteText(NamedTuple):
    """A note before its slots are filled."""

    title: str
    folder: str
    body: str


NOTES = (
    NoteText("Grocery list", "Personal", "{item}, {item}, {item} and {item}"),
    NoteText("Shopping for {day}", "Personal", "{item}, {item}, {item}; ask for a box at {place}"),
    NoteText("Packing list", "Personal", "Take {thing}, {thing} and {thing}."),
    NoteText("Weekend plan", "Personal", "{day}: {event} at {place}, then coffee."),
    NoteText("Books to read", "Personal", "{book}\n{book}\n{book}"),
    NoteText("Gym plan", "Personal", "Squats {small} x {small}, rowing {small} min, stretch."),
    NoteText("Pancakes", "Personal", "{small} cups of flour, {small} eggs, a little {item}."),
    NoteText("Plants", "Personal", "Water the ferns on {day}, the cactus never."),
    NoteText("Car service", "Personal", "Bring the car to {place} on {day} at {time}."),
    NoteText("Gift ideas", "Personal", "{thing} or the book {book}"),
    NoteText("Running log", "Personal", "{day}: {small} km along {place}."),
    NoteText("Dentist", "Personal", "Ask about the {day} slot, {time}."),
    NoteText("Team meeting", "Work", "Talk about the {subject} and the {subject}. Next one on {day}, {time}."),
    NoteText("To do at work", "Work", "Finish the {subject}, call back about the {subject}."),
    NoteText("Interview questions", "Work", "Ask how they would plan the {subject}."),
    NoteText("Office supplies", "Work", "Paper, pens, {item} and {small} folders."),
    NoteText("Talk outline", "Work", "Start with the {subject}, show the {subject}, end with questions."),
    NoteText("Expenses", "Work", "Taxi {number} euros, lunch {small} euros, train {number} euros."),
    NoteText("Minutes of {day}", "Work", "The {subject} is late. New date: {day}."),
    NoteText("Quarter goals", "Work", "One {subject}, two hires, no overtime."),
    NoteText("App idea", "Ideas", "A map of every {event} near {place}."),
    NoteText("Story idea", "Ideas", "Someone finds {thing} at {place} on a {day}."),
    NoteText("Names for the cat", "Ideas", "Pixel, Mocha, Biscuit, Comet"),
    NoteText("Room colours", "Ideas", "Walls in sage, the shelf in oak, a red lamp."),
    NoteText("Party theme", "Ideas", "A {event} with lights, music from {book}."),
    NoteText("Podcast topics", "Ideas", "The {subject}, {place}, and why we like {item}."),
    NoteText("Garden sketch", "Ideas", "{item} on the left, herbs at the door."),
)


class Fact(NamedTuple):
    """A note with one fact: its title, a body with `{value}`, what the fact is called, how the value is drawn."""

    title: str
    body: str
    asked: str
    value: str


FACTS = (
    Fact("Locker", "Code {value}. It jams, turn it twice.", "locker code", "{code4}"),
    Fact("Guest Wi-Fi", "Network Guest, password {value}", "guest Wi-Fi password", "{word}{number}"),
    Fact("Flight", "Flight {value}, be there at {time}.", "flight number", "{letter}{letter} {code3}"),
    Fact("Hotel", "Room {value}, breakfast from {time}.", "hotel room number", "{code3}"),
    Fact("Parking", "Level {small}, space {value}.", "parking space", "{letter}{number}"),
    Fact("Shoe size", "Running shoes in size {value}, blue ones.", "shoe size", "{shoe}"),
    Fact("Library card", "Card number {value}, ends in {day}.", "library card number", "{code4}{code3}"),
    Fact("Train seat", "Coach {small}, seat {value}.", "train seat", "{number}{letter}"),
    Fact("Door", "The door code is {value}, then press the hash key.", "door code", "{code4}"),
    Fact("Pickup", "The parcel number is {value}. Pick up at {place}.", "parcel number", "{letter}{code4}"),
)

THREADS: tuple[tuple[tuple[bool, str], ...], ...] = (
    (
        (False, "Are you coming to the {event} on {day}?"),
        (True, "Yes, what time?"),
        (False, "{time}. Bring {thing}."),
    ),
    ((True, "Can you send me the {subject} file?"), (False, "Sure, by {day} evening.")),
    (
        (False, "I am at {place}, where are you?"),
        (True, "On my way, {small} minutes."),
        (False, "Ok, I wait inside."),
    ),
    ((False, "Do we need {item}?"), (True, "Yes, and {item} too."), (False, "Got both.")),
    ((True, "How was the {event}?"), (False, "Great fun, you should have come."), (False, "Next one is on {day}.")),
    ((False, "Reminder: the {subject} is due on {day}."),),
    ((False, "Have you read {book}?"), (True, "Not yet. Worth it?"), (False, "The ending at {place} is wonderful.")),
    ((True, "Shall we meet at {place}?"), (False, "Good idea, {day} at {time}?"), (True, "Perfect.")),
    ((False, "The train is late, I will be there at {time}."), (True, "No hurry.")),
    ((False, "I found {thing} in the car, is it yours?"), (True, "No, maybe it is my sister's.")),
    ((True, "Did the {subject} arrive?"), (False, "Yes, it lies on your desk.")),
    (
        (False, "Can you water my plants until {day}?"),
        (True, "Of course."),
        (False, "Thanks, the key is at {place}."),
    ),
    ((False, "We moved the {event} to {place}."), (False, "It starts at {time}.")),
    ((True, "Happy birthday!"), (False, "Thank you so much!"), (False, "Cake at {place} on {day}?")),
    ((False, "Please buy {item} and {item}."), (True, "Anything else?"), (False, "Just {item}.")),
    ((False, "The meeting about the {subject} is at {time}."), (True, "Thanks, I will be there.")),
)

ODD_THREADS: tuple[tuple[tuple[bool, str], ...], ...] = (
    ((False, "Your parcel arrives on {day} before {time}."),),
    ((False, "Your code is {code4}. Do not share it."),),
    ((False, "Your table for {small} is booked on {day}, {time}."),),
)

DOCUMENTS = (
    *("Invoice", "Resume", "Lease", "Budget", "Report", "Minutes", "Cover letter", "Tax form", "Manual", "Schedule"),
    *("Contract", "Checklist", "Essay", "Timetable", "Recipe book", "Travel plan", "Menu", "Thesis", "Receipt"),
)
PICTURES = (
    *("Sunset", "Beach", "Family", "Graduation", "Cat", "Mountain", "Birthday", "Garden", "Old town", "Snow", "Bridge"),
    *("Lake", "Selfie", "Market", "Forest", "Harbour", "Kitchen"),
)
SONGS = ("Morning light", "Slow train", "Paper moon", "Rainy city", "Golden hour", "Echoes", "Night drive", "Blue bird")
VIDEOS = ("Concert", "First steps", "Drone flight", "Wedding dance", "Skate trick", "Puppy")
FILE_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[int, int]]] = {
    "document": (DOCUMENTS, (".pdf", ".docx", ".txt", ".xlsx"), (12, 4800)),
    "image": (PICTURES, (".jpg", ".png"), (180, 7600)),
    "audio": (SONGS, (".mp3",), (2100, 9400)),
    "video": (VIDEOS, (".mp4",), (14000, 240000)),
}
"""Kind -> stems, endings, least and most size in KB."""

FOLDER_NAMES = (
    *("Taxes", "School", "Work", "Travel", "Recipes", "Scans", "Projects", "Letters", "Archive", "Home", "Health"),
    *("Clients", "Events", "Drafts", "Holiday", "Wallpapers", "Club", "Shared"),
)
"""Names of folders inside the top ones."""

NEW_TITLES = (
    *("Garden {number}", "Trip to {city}", "Ideas for {day}", "Plan {letter}", "{city} hotels", "Call list", "Repairs"),
    *("Questions for {day}", "Camera settings", "Piano practice", "Chess openings", "Bike tour", "Moving house"),
    *("Guest list", "Yoga", "Menu for {day}", "Wishes", "Words to learn", "Recipe {number}", "Lost and found"),
)
"""Titles of notes that no fresh phone holds."""

NEW_TEXTS = (
    *("Buy {item} and {item}", "Meet at {place}", "Ask about the {subject}", "Call back at {time}", "Bring {thing}"),
    *("{item}, {item}, {item}", "Start at {time}", "The {event} is on {day}", "Look for {thing}", "Read {book}"),
    *("Pay {number} euros", "Finish the {subject} by {day}", "Room {code3}", "Try the {item} at {place}"),
)
"""Texts of new notes."""

NEW_MESSAGES = (
    *("See you at {time}", "I am at {place}", "Can you bring {thing}?", "The {event} is on {day}", "Please buy {item}"),
    *("Running {small} minutes late", "Call me at {time}", "Did you finish the {subject}?", "Let us meet at {place}"),
    *("Thanks for {thing}", "The code is {code4}", "Not on {day}, sorry", "{day} works for me", "Where is {thing}?"),
)
"""Messages to send."""

CITIES = (
    *("Lisbon", "Oslo", "Kyoto", "Lima", "Cairo", "Vienna", "Porto", "Dublin", "Nairobi", "Seoul", "Prague", "Quito"),
    *("Tunis", "Riga", "Bergen", "Hanoi", "Turin", "Accra"),
)

WORDS = (
    *("amber", "falcon", "maple", "orbit", "pepper", "river", "saturn", "tulip", "velvet", "walnut", "copper", "coral"),
    *("ember", "hazel", "ivory", "jasper", "lotus", "meadow", "nectar", "olive"),
)


def clock_time(rng: random.Random) -> str:
    """A time of day on the quarter hour, such as "18:30"."""
    return f"{rng.randrange(7, 22):02d}:{rng.choice((0, 15, 30, 45)):02d}"


def fill(text: str, rng: random.Random, **given: str) -> str:
    """`text` with every `{slot}` drawn; a slot that stands twice gets two different values where there are two."""
    out: list[str] = []
    used: set[str] = set()
    for literal, slot in _parsed(text):
        out.append(literal)
        if slot is None:
            continue
        value = given.get(slot) or _draw(slot, rng)
        for _ in range(8):
            if value not in used or slot in given:
                break
            value = _draw(slot, rng)
        used.add(value)
        out.append(value[:1].upper() + value[1:] if len(out) == 1 and literal == "" else value)
    return "".join(out)


@lru_cache(1024)
def _parsed(text: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((literal, slot) for literal, slot, _, _ in string.Formatter().parse(text))


_LISTS: dict[str, Sequence[str]] = {
    "item": ITEMS, "thing": THINGS, "place": PLACES, "event": EVENTS, "subject": SUBJECTS, "book": TITLES, "day": DAYS,
    "city": CITIES, "word": WORDS, "letter": _LETTERS,
}  # fmt: skip
_SPANS = {"small": (2, 9), "number": (11, 99), "code3": (100, 999), "code4": (1000, 9999)}


def _draw(slot: str, rng: random.Random) -> str:
    if slot in _LISTS:
        return rng.choice(_LISTS[slot])
    if slot == "time":
        return clock_time(rng)
    if slot in _SPANS:
        return str(rng.randint(*_SPANS[slot]))
    if slot == "shoe":
        return f"{rng.randint(36, 46)}.{rng.choice((0, 5))}"
    raise ValueError(f"no slot {slot!r}; slots: {', '.join((*_LISTS, *_SPANS, 'time', 'shoe'))}")
