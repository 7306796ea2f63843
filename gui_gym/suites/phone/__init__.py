"""The phone suite: `SUITE` and what its tasks are made of."""

# Imported for what they register; the tasks' order is the order of the suite.
# ruff: noqa: F401
# isort: off
from gui_gym.suites.phone import fix_clock, fix_contacts, fix_files, fix_messages, fix_notes, fix_settings
from gui_gym.suites.phone import tasks_settings
from gui_gym.suites.phone import tasks_clock
from gui_gym.suites.phone import tasks_contacts
from gui_gym.suites.phone import tasks_notes
from gui_gym.suites.phone import tasks_messages
from gui_gym.suites.phone import tasks_files
from gui_gym.suites.phone import tasks_combined
from gui_gym.suites.phone import tasks_cross

# isort: on
from gui_gym.suites.phone.base import TASKS, AnswerTask, PhoneTask, phone_task
from gui_gym.task import Suite

SUITE = Suite("phone", "gui_gym.devices.phone.device:PhoneDevice", TASKS)

__all__ = ["SUITE", "TASKS", "AnswerTask", "PhoneTask", "phone_task"]
