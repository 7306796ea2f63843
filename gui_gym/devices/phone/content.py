"""Names, numbers and labels that fresh phones and tasks draw from.

* `full_names`, `phone_number`, `email_of` - people
* `ALARM_LABELS`, `TIMER_MINUTES`, `PHONE_NAMES` - for clock and settings
* `clock_text`, `parse_clock` - times of day such as "07:30"

Every draw uses the `random.Random` that it is given, so that a seed gives the same words in every process.
"""

from __future__ import annotations

import random
import re
import unicodedata

FIRST_NAMES = (
    *("Ada", "Aisha", "Akira", "Alma", "Amara", "Amir", "Ana", "Anders", "Anita", "Anton", "Aria", "Arjun", "Astrid"),
    *("Beatriz", "Bilal", "Bruno", "Camila", "Carlos", "Chen", "Chiara", "Chloe", "Clara", "Dalia", "Daniel", "David"),
    *("Deniz", "Diego", "Dina", "Elena", "Eli", "Elif", "Emil", "Emma", "Erik", "Esther", "Farah", "Fatima", "Felix"),
    *("Femi", "Finn", "Freya", "Gabriel", "Grace", "Greta", "Hana", "Hassan", "Helena", "Hugo", "Ian", "Ibrahim"),
    *("Ida", "Imani", "Ines", "Ingrid", "Isaac", "Ivan", "Jack", "Jamal", "Jana", "Jin", "Joana", "Jonas", "Julia"),
    *("Kai", "Karim", "Katya", "Keiko", "Kofi", "Lars", "Layla", "Lea", "Leon", "Liam", "Lina", "Luca", "Lucia"),
    *("Magnus", "Malik", "Marco", "Maria", "Marta", "Mateo", "Maya", "Mei", "Mia", "Milan", "Mina", "Nadia", "Naomi"),
    *("Nia", "Nico", "Nina", "Noah", "Noor", "Olga", "Oliver", "Omar", "Oscar", "Paula", "Pavel", "Pedro", "Petra"),
    *("Priya", "Quinn", "Rafael", "Rania", "Ravi", "Rosa", "Ruth", "Sakura", "Samuel", "Sara", "Selma", "Sofia"),
    *("Stefan", "Sunita", "Tariq", "Teresa", "Thandi", "Theo", "Tomas", "Uma", "Vera", "Victor", "Wanda", "Wei"),
    *("Xavier", "Yara", "Yuki", "Yusuf", "Zara", "Zeynep", "Zofia", "José", "Zoë", "Søren", "René", "Chloé", "Jürgen"),
)
LAST_NAMES = (
    *("Abara", "Adler", "Ahmed", "Almeida", "Andersen", "Aoki", "Bailey", "Banerjee", "Barros", "Becker", "Bianchi"),
    *("Boateng", "Brandt", "Brown", "Carter", "Castro", "Chandra", "Chen", "Cohen", "Costa", "Cruz", "Dahl", "Davies"),
    *("Diallo", "Dubois", "Eriksen", "Evans", "Farouk", "Ferrari", "Fischer", "Flores", "Foster", "Garcia", "Gomez"),
    *("Graham", "Gupta", "Haddad", "Hansen", "Hayashi", "Herrera", "Hoffman", "Hughes", "Hussain", "Ito", "Ivanova"),
    *("Jansen", "Johnson", "Jovanovic", "Kamara", "Kapoor", "Kaya", "Keller", "Khan", "Kim", "Kimura", "Klein"),
    *("Kovacs", "Kruger", "Larsen", "Laurent", "Lee", "Lindqvist", "Lopez", "Marin", "Martin", "Mbeki", "Mendes"),
    *("Meyer", "Moreau", "Morgan", "Mori", "Murphy", "Nakamura", "Nassar", "Nguyen", "Novak", "Nowak", "Oduya"),
    *("Okafor", "Olsen", "Ortiz", "Osei", "Ozturk", "Park", "Patel", "Pereira", "Petrov", "Quist", "Rahman", "Ramos"),
    *("Reyes", "Rossi", "Rowe", "Sanchez", "Santos", "Sato", "Schmidt", "Shah", "Silva", "Singh", "Sokolov", "Suzuki"),
    *("Tanaka", "Taylor", "Torres", "Tran", "Turner", "Usman", "Varga", "Vega", "Wagner", "Walker", "Wang", "Weber"),
    *("Williams", "Wolf", "Wong", "Yamada", "Yilmaz", "Young", "Zhang", "Ziegler", "Müller", "Nuñez", "Lefèvre"),
)
MAIL_HOSTS = ("example.com", "example.org", "mail.test", "post.test", "inbox.test", "office.test")
COUNTRY_CODES = ("+1", "+27", "+31", "+33", "+34", "+44", "+47", "+49", "+55", "+81", "+91", "+234")
ALARM_LABELS = (
    *("Wake up", "Work", "Gym", "School run", "Medicine", "Yoga", "Call home", "Bus", "Walk the dog", "Lunch"),
    *("Stand-up", "Study", "Piano", "Market", "Swim", "Night shift", "Prayer", "Plants", "Nap", "Train", "Rehearsal"),
    *("Early flight", "Run", "Bins out", "Vitamins", "Meeting", "Team call", "Dentist", "Dinner", "Bedtime"),
)
TIMER_MINUTES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 30, 40, 45, 60)
PHONE_NAMES = (
    *("Red phone", "Green phone", "Office phone", "Spare phone", "Garden phone", "Mina's phone", "Leo's phone"),
    *("Studio phone", "Night phone", "Family phone", "Atlas", "Comet", "Juniper", "Willow", "Old faithful"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def full_names(rng: random.Random, count: int) -> tuple[str, ...]:
    """Distinct full names; first names repeat only when there are not enough.

    >>> full_names(random.Random(1), 2) == full_names(random.Random(1), 2)
    True

    Raises:
        ValueError: `count` is over 1000.
    """
    if not 0 <= count <= 1000:
        raise ValueError(f"count must lie in 0..1000, not {count}")
    names: dict[str, None] = {}
    firsts: list[str] = []
    while len(names) < count:
        if not firsts:  # no more than needed: shuffling all of them was half of what a new phone took
            firsts = rng.sample(FIRST_NAMES, min(count - len(names), len(FIRST_NAMES)))
        names[f"{firsts.pop()} {rng.choice(LAST_NAMES)}"] = None
    return tuple(names)


def phone_number(rng: random.Random) -> str:
    """A number such as "+44 555 018 274"."""
    return f"{rng.choice(COUNTRY_CODES)} 555 {rng.randrange(1000):03d} {rng.randrange(1000):03d}"


def email_of(rng: random.Random, name: str) -> str:
    """An address made of a name, in plain ASCII.

    >>> email_of(random.Random(0), "Søren Nuñez").split("@")[0]
    'soren.nunez'
    """
    plain = unicodedata.normalize("NFKD", name.replace("ø", "o").replace("Ø", "O")).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z]+", plain.casefold())
    return f"{'.'.join(words) or 'me'}@{rng.choice(MAIL_HOSTS)}"


def clock_text(minutes: int) -> str:
    """Minutes since midnight as a time of day.

    >>> clock_text(450)
    '07:30'
    """
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


_TIME = re.compile(r"\s*(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(am|pm|a\.m\.?|p\.m\.?)?\s*", re.IGNORECASE | re.ASCII)


def parse_clock(text: str) -> int | None:
    """Minutes since midnight of a typed time of day, or None when it is not one.

    >>> parse_clock("7:30"), parse_clock("0730"), parse_clock("7.30 pm"), parse_clock("25:00")
    (450, 450, 1170, None)
    """
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").casefold()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return 60 * hour + minute if hour < 24 and minute < 60 else None
