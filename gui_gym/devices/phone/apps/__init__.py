"""The apps that come with the phone, installed by importing this package, in the order of the drawer."""

from gui_gym.devices.phone.apps import settings

__all__ = ["settings"]
