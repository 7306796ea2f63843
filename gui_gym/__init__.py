"""Mobile, web and desktop GUIs as Gymnasium environments."""

__version__ = "0.1.0"
