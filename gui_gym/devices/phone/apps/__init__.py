"""The apps that come with the phone, installed by importing this package, in the order of the drawer."""

# isort: off
from gui_gym.devices.phone.apps import settings
from gui_gym.devices.phone.apps import clock
from gui_gym.devices.phone.apps import contacts
from gui_gym.devices.phone.apps import notes
from gui_gym.devices.phone.apps import messages
from gui_gym.devices.phone.apps import files
# isort: on

__all__ = ["clock", "contacts", "files", "messages", "notes", "settings"]
