"""Tasks in the Settings app.

* `ToggleSetting`, `ToggleDeepSetting`, `ToggleQuickSetting` - one switch: on the first page, on another, in the shade
* `SetLevel`, `ChooseOption`, `RenamePhone`, `AppPermission` - a level, an option, a name, what an app may do
* `TwoSettings`, `ResetThenToggle` - more than one thing
* `ReadSetting` - an answer
"""

from __future__ import annotations

import random
from typing import ClassVar

from gui_gym.actions import Action
from gui_gym.devices.phone.apps.settings import (
    CHOICES,
    LEVELS,
    PAGES,
    PERMISSIONS,
    SWITCHES,
    SettingsData,
    reset_data,
)
from gui_gym.devices.phone.content import PHONE_NAMES
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone
from gui_gym.elements import ElementTree
from gui_gym.suites.phone.base import AnswerTask, PhoneTask, phone_task
from gui_gym.suites.phone.experts import Hands, Stop
from gui_gym.suites.phone.fix_settings import page_stop
from gui_gym.task import Params

FIRST_PAGE = tuple(k for k, s in SWITCHES.items() if s.page == "main")
DEEP = tuple(k for k, s in SWITCHES.items() if s.page not in ("main", ""))
QUICK = ("wifi", "bluetooth", "mobile_data", "airplane", "flashlight", "dnd", "dark", "battery_saver")


def switch_params(key: str, on: bool) -> Params:
    """Parameters for "turn `title` `word`"."""
    return {"key": key, "on": on, "title": SWITCHES[key].title, "word": "on" if on else "off"}


def with_switch(data: SettingsData, key: str, on: bool) -> SettingsData:
    """The data with one switch set."""
    return data.set(switches=data.switches.set(key, on))


def in_front(phone: Phone, app: str, page: str, arg: object = None) -> bool:
    """Whether an app shows this page, or has it open below another."""
    pages = phone.ui.stacks.get(app, ())
    return phone.ui.front == app and (page == "main" or any((p.name, p.arg) == (page, arg) for p in pages))


class _Toggle(PhoneTask):
    apps = ("settings",)
    keys: ClassVar[tuple[str, ...]] = ()
    random_most: ClassVar[float] = 0.1

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        key = rng.choice(self.keys)
        return switch_params(key, not phone.data["settings"].switches[key])

    def prepare(self, phone: Phone, params: Params) -> Phone:
        """The switch starts the other way round, as for drawn parameters, so that chosen ones work on every phone."""
        data = phone.data
        return phone.set(data=data.set("settings", with_switch(data["settings"], params["key"], not params["on"])))

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data.set("settings", with_switch(data["settings"], params["key"], params["on"]))

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        other = rng.choice([k for k in self.keys if k != params["key"]])
        now = self.start(params).data["settings"].switches[other]
        return {
            "wrong_entity": {**params, **switch_params(other, not now)},
            "wrong_value": {**params, **switch_params(params["key"], not params["on"])},
        }


@phone_task
class ToggleSetting(_Toggle):
    """A switch on the first page of Settings."""

    wordings = (
        "Turn {word} {title}.",
        "Turn {title} {word}.",
        "Switch {word} {title} in the settings.",
        "Please make sure that {title} is {word}.",
        "I want {title} to be {word}.",
    )
    keys = FIRST_PAGE
    level = 1
    max_steps = 8


@phone_task
class ToggleDeepSetting(_Toggle):
    """A switch on a further page of Settings."""

    wordings = (
        "Turn {word} {title}.",
        "In Settings, turn {title} {word}.",
        "Find the setting {title} and switch it {word}.",
        "Make sure {title} is {word}.",
    )
    keys = DEEP
    level = 2
    max_steps = 12

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"page": in_front(phone, "settings", SWITCHES[params["key"]].page)}


@phone_task
class ToggleQuickSetting(_Toggle):
    """A tile of the quick settings."""

    wordings = (
        "Use quick settings to turn {title} {word}.",
        "Pull down the notification shade and switch {title} {word}.",
        "Turn {word} {title} in the quick settings.",
    )
    keys = QUICK
    level = 1
    max_steps = 8

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"shade": phone.ui.shade}

    def expert(self, state: Phone, params: Params, elements: ElementTree) -> Action | None:
        hands = Hands(state, elements)
        if state.data["settings"].switches[params["key"]] != params["on"]:
            return hands.shade() or hands.tap(params["title"], "switch")
        return super().expert(state, params, elements)


@phone_task
class SetLevel(PhoneTask):
    """Brightness or a volume, up to four steps away."""

    wordings = (
        "Set {title} to {percent} %.",
        "Change {title} to {percent} %.",
        "I would like {title} at {percent} %.",
    )
    level = 2
    max_steps = 16
    apps = ("settings",)

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        key = rng.choice(tuple(LEVELS))
        now = phone.data["settings"].levels[key]
        wanted = [p for p in range(10, 101, 10) if 0 < abs(p - now) <= 40]
        return {"key": key, "percent": rng.choice(wanted), "title": LEVELS[key].title.lower()}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        settings = data["settings"]
        return data.set("settings", settings.set(levels=settings.levels.set(params["key"], params["percent"])))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"page": in_front(phone, "settings", LEVELS[params["key"]].page)}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        levels = self.start(params).data["settings"].levels
        other = rng.choice([k for k in LEVELS if k != params["key"] and levels[k] != params["percent"]] or [""])
        step = 10 if params["percent"] < 100 else -10
        found = {"wrong_value": {**params, "percent": params["percent"] + step}}
        if other:
            found["wrong_entity"] = {**params, "key": other}
        else:
            found["no_change"] = {**params, "percent": levels[params["key"]]}
        return found


@phone_task
class ChooseOption(PhoneTask):
    """One of several options, such as a ringtone or a time zone."""

    wordings = (
        "Set the {title} to {option}.",
        "Choose {option} as the {title}.",
        "Change the {title} to {option}.",
    )
    level = 2
    max_steps = 14
    apps = ("settings",)

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        key = rng.choice(tuple(CHOICES))
        options = [o for o in CHOICES[key].options if o != phone.data["settings"].choices[key]]
        return {"key": key, "option": rng.choice(options), "title": _lower(CHOICES[key].title)}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        settings = data["settings"]
        return data.set("settings", settings.set(choices=settings.choices.set(params["key"], params["option"])))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {
            "page": in_front(phone, "settings", CHOICES[params["key"]].page),
            "options": in_front(phone, "settings", "choice", params["key"]),
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        now = self.start(params).data["settings"].choices
        key = rng.choice([k for k in CHOICES if k != params["key"]])
        options = [o for o in CHOICES[params["key"]].options if o != params["option"]]
        other = [o for o in CHOICES[key].options if o != now[key]]
        return {
            "wrong_entity": {**params, "key": key, "option": rng.choice(other)},
            "wrong_value": {**params, "option": rng.choice(options)},
        }


def _lower(title: str) -> str:
    return title if title.startswith("Wi-Fi") else title.lower()


@phone_task
class RenamePhone(PhoneTask):
    """The phone's name: clear a field, type, save."""

    wordings = (
        'Rename the phone to "{name}".',
        'Change the phone name to "{name}".',
        'Give this phone the name "{name}".',
    )
    level = 2
    max_steps = 16
    apps = ("settings",)
    split = "validation"

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        return {"name": rng.choice([n for n in PHONE_NAMES if n != phone.data["settings"].name])}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data.set("settings", data["settings"].set(name=params["name"]))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        form = in_front(phone, "settings", "rename")
        typed = form and phone.ui.stacks["settings"][-1].form.get("name") == params["name"]
        return {"page": in_front(phone, "settings", "about"), "form": form, "typed": typed}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        other = rng.choice([n for n in PHONE_NAMES if n != params["name"]])
        return {
            "wrong_value": {**params, "name": other},
            "typing_error": {**params, "name": params["name"][:-1]},
        }


@phone_task
class AppPermission(PhoneTask):
    """What an app may do."""

    wordings = (
        "{verb} {permission} for the {label} app.",
        "In the app settings, {verb_low} {permission} for {label}.",
        "Open Settings and {verb_low} {permission} for {label}.",
    )
    level = 3
    max_steps = 16
    apps = ("settings",)
    split = "test"

    def _params(self, phone: Phone, app: str, permission: str) -> Params:
        from gui_gym.devices.phone.app import APPS

        denied = f"{app}.{permission}" in phone.data["settings"].denied
        names = {"notifications": "notifications", "background": "background data", "location": "location access"}
        verb = "Allow" if denied else "Turn off"
        return {
            "app": app,
            "key": permission,
            "allow": denied,
            "label": APPS[app].label,
            "permission": names[permission],
            "verb": verb,
            "verb_low": verb.lower(),
        }

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        apps = ("clock", "contacts", "notes", "messages", "files")
        return self._params(phone, rng.choice(apps), rng.choice(tuple(PERMISSIONS)))

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        settings, name = data["settings"], f"{params['app']}.{params['key']}"
        denied = settings.denied.drop(name) if params["allow"] else settings.denied.set(name, True)
        return data.set("settings", settings.set(denied=denied))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {
            "apps": in_front(phone, "settings", "apps"),
            "app": in_front(phone, "settings", "app", params["app"]),
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        phone = self.start(params)
        app = rng.choice([a for a in ("clock", "contacts", "notes", "messages", "files") if a != params["app"]])
        permission = rng.choice([p for p in PERMISSIONS if p != params["key"]])
        return {
            "wrong_app": {**params, **self._params(phone, app, params["key"])},
            "wrong_permission": {**params, **self._params(phone, params["app"], permission)},
            "wrong_value": {**params, "allow": not params["allow"]},
        }


@phone_task
class TwoSettings(PhoneTask):
    """A switch and a level, on different pages as a rule."""

    wordings = (
        "Turn {title} {word} and set {level_title} to {percent} %.",
        "Set {level_title} to {percent} %, then turn {title} {word}.",
        "Two things, please: {title} {word}, and {level_title} at {percent} %.",
    )
    level = 3
    max_steps = 24
    apps = ("settings",)
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        data = phone.data["settings"]
        key, level = rng.choice(FIRST_PAGE), rng.choice(tuple(LEVELS))
        wanted = [p for p in range(10, 101, 10) if 0 < abs(p - data.levels[level]) <= 30]
        extra = {"level_key": level, "percent": rng.choice(wanted), "level_title": LEVELS[level].title.lower()}
        return {**switch_params(key, not data.switches[key]), **extra}

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        settings = with_switch(data["settings"], params["key"], params["on"])
        return data.set("settings", settings.set(levels=settings.levels.set(params["level_key"], params["percent"])))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        data = phone.data["settings"]
        return {
            "switch": data.switches[params["key"]] == params["on"],
            "level": data.levels[params["level_key"]] == params["percent"],
        }

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        data = self.start(params).data["settings"]
        other = rng.choice([k for k in FIRST_PAGE if k != params["key"]])
        return {
            "wrong_entity": {**params, **switch_params(other, not data.switches[other])},
            "only_the_switch": {**params, "percent": data.levels[params["level_key"]]},
            "only_the_level": {**params, "on": not params["on"]},
        }


@phone_task
class ResetThenToggle(PhoneTask):
    """A reset that asks for confirmation, then a switch away from its default."""

    wordings = (
        "Reset all settings, then turn {title} {word}.",
        "First reset the settings. After that, switch {title} {word}.",
        "Put all settings back to their defaults and then turn {word} {title}.",
    )
    level = 3
    max_steps = 20
    apps = ("settings",)
    split = "test"

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        key = rng.choice(FIRST_PAGE)
        return switch_params(key, not SWITCHES[key].default)

    def expected(self, data: FrozenMap, params: Params) -> FrozenMap:
        return data.set("settings", with_switch(reset_data(data["settings"]), params["key"], params["on"]))

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        data = phone.data["settings"]
        off = [k for k in SWITCHES if data.switches[k] != SWITCHES[k].default and k != params["key"]]
        return {"page": in_front(phone, "settings", "system"), "reset": not off and not data.denied}

    def expert(self, state: Phone, params: Params, elements: ElementTree) -> Action | None:
        """Reset first, as the shorter way, when more than the switch is left to do."""
        have = state.data["settings"]
        want = self.expected(self.start(params).data, params)["settings"]
        if (
            have.set(switches=want.switches) == want
            and sum(have.switches[k] != on for k, on in want.switches.items()) <= 2
        ):
            return super().expert(state, params, elements)
        hands = Hands(state, elements)
        return (
            hands.confirm("Reset settings?", "Reset")
            or hands.at("settings", *page_stop("system"))
            or hands.tap("Reset settings", "row")
        )

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        other = rng.choice([k for k in FIRST_PAGE if k != params["key"]])
        return {
            "wrong_entity": {**params, **switch_params(other, not SWITCHES[other].default)},
            "wrong_value": {**params, "on": not params["on"]},
        }


_QUESTIONS = {
    "model": ("model of this phone", "about", "Model"),
    "version": ("software version of this phone", "about", "Version"),
    "serial": ("serial number of this phone", "about", "Serial number"),
    "name": ("name of this phone", "about", "Phone name"),
    **{key: (f"current {_lower(choice.title)}", choice.page, choice.title) for key, choice in CHOICES.items()},
}


@phone_task
class ReadSetting(AnswerTask):
    """A fact that a page of Settings shows."""

    wordings = (
        "What is the {what}?",
        "Look up the {what} in Settings and answer with it.",
        "Tell me the {what}.",
    )
    level = 2
    max_steps = 12
    apps = ("settings",)

    def pick(self, phone: Phone, rng: random.Random) -> Params:
        key = rng.choice(tuple(_QUESTIONS))
        return {"key": key, "what": _QUESTIONS[key][0]}

    def answer(self, data: FrozenMap, params: Params) -> str:
        settings, key = data["settings"], params["key"]
        found = settings.name if key == "name" else settings.facts.get(key) or settings.choices[key]
        return str(found)

    def look(self, hands: Hands, params: Params) -> Action | None:
        _, page, title = _QUESTIONS[params["key"]]
        return hands.at("settings", Stop(page, None, PAGES[page].title, "row")) or hands.show(
            f"{title} · {self.answer(hands.phone.data, params)}"
        )

    def steps(self, phone: Phone, params: Params) -> dict[str, bool]:
        return {"page": in_front(phone, "settings", _QUESTIONS[params["key"]][1])}

    def mutants(self, params: Params, rng: random.Random) -> dict[str, Params]:
        right = self.answer(self.start(params).data, params)
        others = [k for k in _QUESTIONS if self.answer(self.start(params).data, {"key": k}) != right]
        first, second = rng.sample(others, 2)
        return {"wrong_fact": {**params, "key": first}, "another_wrong_fact": {**params, "key": second}}
