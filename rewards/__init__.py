"""Scores as pure functions `(prediction, truth[, config]) -> float`; none needs torch or steps an environment.

* `containment` - is the point in the element?
* `matching` - type and parameters against acceptable actions
* `format` - the form and length of a response
* `composite` - named parts and their weighted sum
"""
