"""Fresh phones.

* `new_phone` - a phone with content drawn from a seed
* `installed` - the apps that a phone can have
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterable

from gui_gym.devices.phone.app import APPS, App
from gui_gym.devices.phone.records import FrozenMap
from gui_gym.devices.phone.state import Phone

AppLike = str | App | type[App]


def installed(apps: Iterable[AppLike] | None = None) -> dict[str, App]:
    """Apps by name, in the order of the drawer.

    Args:
        apps: names of registered apps, or apps of your own; None for all that are registered.

    Raises:
        ValueError: a name is unknown.
    """
    import gui_gym.devices.phone.apps  # noqa: F401  registers the apps that come with the phone

    if apps is None:
        return dict(APPS)
    if isinstance(apps, str):
        raise ValueError(f"apps must be a list of names, not the string {apps!r}")
    found: dict[str, App] = {}
    for app in apps:
        if isinstance(app, str):
            if app not in APPS:
                close = difflib.get_close_matches(app, APPS, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ValueError(f"apps must name registered apps ({', '.join(APPS)}), not {app!r}{hint}")
            found[app] = APPS[app]
        elif isinstance(app, type) and issubclass(app, App):
            found[app.name] = app()
        elif isinstance(app, App):
            found[app.name] = app
        else:
            raise ValueError(f"apps must hold names or apps, not {app!r}")
    return found


def new_phone(rng: random.Random | int, apps: Iterable[AppLike] | None = None, dark: bool | None = None) -> Phone:
    """A phone that was used for a while: every app with content of its own.

    Each app draws from a stream of its own, so an app more does not change the others, save those that take over
    from it (`App.settle`).

    Args:
        rng: a seed, or a generator that one is drawn from.
        apps: see `installed`.
        dark: the theme; None leaves it to the Settings app's content.

    Raises:
        ValueError: an app is unknown.
    """
    seed = rng.getrandbits(64) if isinstance(rng, random.Random) else int(rng)
    found = installed(apps)
    data = {name: app.initial(random.Random(f"{seed}/{name}")) for name, app in found.items()}
    for name, app in found.items():
        if type(app).settle is not App.settle:
            data[name] = app.settle(data[name], data, random.Random(f"{seed}/{name}/settle"))
    own = random.Random(f"{seed}/system")
    clock, day = 60 * own.randrange(7 * 60, 21 * 60), own.randrange(2 * 365)
    settings = data.get("settings")
    switches = getattr(settings, "switches", None)
    if dark is not None and settings is not None and switches is not None:
        data["settings"] = settings.set(switches=switches.set("dark", dark))
    return Phone(FrozenMap(data), clock=clock, day=day)
