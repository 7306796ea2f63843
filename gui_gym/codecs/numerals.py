"""Numbers as dialects write them.

* `whole` - a number for JSON: an int where it is one
* `digits` - a number as text, without an exponent
"""

from __future__ import annotations

from decimal import Decimal


def whole(value: float) -> float:
    """An int where the number is whole, so that it is written without a point.

    >>> whole(2.0), whole(0.5)
    (2, 0.5)
    """
    return int(value) if value == int(value) else value


def digits(value: float) -> str:
    """A number in plain digits, without an exponent; whole ones without a point.

    >>> digits(2.0), digits(0.00001)
    ('2', '0.00001')
    """
    return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")
