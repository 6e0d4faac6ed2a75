"""The ranges of the feed."""

RANGES = {
    "allHour": "the last hour",
    "allDay": "the last day",
    "allWeek": "the last week",
    "allMonth": "the last month",
}
"""The ranges in the payload of an action, each with its name for people."""
