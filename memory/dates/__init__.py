"""Days that people speak of: found in English and Chinese text, and written out.

A day is reckoned from the day the text was written, in the writer's zone. What cannot be reckoned
is left as it is: no date is ever made up.
"""

from memory.dates.days import find_days, speaks_of_time, write_out_days
from memory.dates.mentions import DayMention

__all__ = ["DayMention", "find_days", "speaks_of_time", "write_out_days"]
