"""OpenCUA: a thought, the action in words, and PyAutoGUI code.

* `OpenCua` - OpenCUA on Qwen2.5-VL ("opencua"), and AgentNet with the OpenCUA models that count like it ("agentnet")

    # Step 3:
    ## Thought:
    The settings are open.

    ## Action:
    Click the Wi-Fi switch.

    ## Code:
    ```python
    pyautogui.click(x=1284, y=377)
    ```

Choices of this dialect, which the field does not agree on:

* OpenCUA on Qwen2.5-VL counts in pixels of the image that it was fed, AgentNet from 0 to 1 across the screen. Numbers
  are never guessed to be the other: a 2 where 1 is the edge is an `out_of_range` error, and 0.4 where pixels are
  counted is less than a pixel, though OSWorld's agent takes it for a fraction.
* The code is that of the last Markdown fence. The step's number is read over and not written. What stands under
  "Observation" belongs to the thought; the action in words is the plan.
* `computer.wait()` leaves its time to the device (OpenCUA's prompt promises 20 seconds), `time.sleep(2)` says it.
* `computer.terminate` knows success and failure. An `answer=` in it, as models after OpenCUA write, is an answer.

Shared choices stand in `gui_gym.codecs.pyautogui_calls`.

Source: Wang et al. 2025 (arXiv 2508.09123), AgentNet and AgentNetBench of github.com/xlang-ai/OpenCUA, its agent in
github.com/xlang-ai/OSWorld.
"""

from __future__ import annotations

import re

from gui_gym.actions import Action
from gui_gym.codecs.base import Profile, ScreenView, Subtask
from gui_gym.codecs.coordinates import INPUT_PIXELS, UNIT
from gui_gym.codecs.pyautogui_dialect import ENTER, HEADINGS, LABELS, SCROLL, PyAutoGuiDialect, read_sections
from gui_gym.codecs.wheel import CLICKS

_SOURCE = "arXiv 2508.09123; github.com/xlang-ai/OpenCUA"
_PLATFORMS = ("desktop", "web")
_STEP = re.compile(r"\s*+#+[ \t]*+Step\b[^\n]{0,40}(?:\n|\Z)")


class OpenCua(PyAutoGuiDialect):
    """OpenCUA texts to and from actions. See the module's docstring for the dialect's choices.

    >>> codec, screen = OpenCua("opencua"), ScreenView((1920, 1080), (1932, 1092))
    >>> print(codec.render(Action("click", point=(0.5, 0.25)), screen, plan="Click the gear."))
    ## Action:
    Click the gear.
    <BLANKLINE>
    ## Code:
    ```python
    pyautogui.click(x=966, y=273)
    ```
    """

    profiles = (
        Profile(
            "opencua",
            "OpenCUA 7B, 32B, 72B (Qwen2.5-VL)",
            INPUT_PIXELS,
            _PLATFORMS,
            amount_cell=1 / CLICKS,
            scroll=SCROLL,
            enter=ENTER,
            source=_SOURCE,
        ),
        Profile(
            "agentnet",
            "AgentNet; OpenCUA-A3B, OpenCUA-Qwen2-7B",
            UNIT,
            _PLATFORMS,
            amount_cell=1 / CLICKS,
            scroll=SCROLL,
            enter=ENTER,
            source=_SOURCE,
        ),
    )
    fenced = True

    def _words(self, text: str) -> tuple[str, str]:
        step = _STEP.match(text)
        text = text[step.end() :] if step else text
        return read_sections(text, HEADINGS if HEADINGS.search(text) else LABELS)

    def _write(self, action: Action, screen: ScreenView, thought: str, plan: str, subtasks: tuple[Subtask, ...]) -> str:
        code = self._code(action, screen)
        parts = [f"## Thought:\n{thought}"] if thought else []
        parts += [f"## Action:\n{plan}"] if plan else []
        language = "code" if code.startswith("computer.") else "python"
        return "\n\n".join((*parts, f"## Code:\n```{language}\n{code}\n```"))

    def _prompt(self, platform: str, screen: ScreenView | None) -> str:
        machine = "computer" if platform == "desktop" else "browser"
        units = "pixels of the screenshot" if self.name == "opencua" else "fractions of the screen from 0 to 1"
        x, y = ("640", "120") if self.name == "opencua" else ("0.3333", "0.1111")
        return _PROMPT.format(machine=machine, units=units, x=x, y=y)


_PROMPT = """You are a GUI agent that operates a {machine}. You are given a task, the screenshot and your previous \
steps. Answer with the next step.

## Format
## Thought:
How far the task is, what the last step did, and what comes next.

## Action:
The next action in one sentence, without coordinates.

## Code:
```python
The action as PyAutoGUI code, with literal arguments only.
```

## Code
x and y are {units}, from the top left corner.
pyautogui.click(x={x}, y={y}), also doubleClick, rightClick, middleClick
pyautogui.moveTo(x={x}, y={y})
pyautogui.dragTo(x={x}, y={y}, button='left') # after a moveTo to where the drag starts
pyautogui.scroll(-5) # clicks of the wheel, below 0 is down; after a moveTo; sideways hscroll(5), above 0 is right
pyautogui.write(message='text') # a final \\n presses Enter
pyautogui.press('enter')
pyautogui.hotkey(['ctrl', 'c'])
computer.wait() # until a page has loaded or a command has run
computer.terminate(status='success') # or 'failure': the task cannot be finished"""
