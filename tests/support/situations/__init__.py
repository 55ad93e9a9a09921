"""What a client meets in a program: forks, threads, signals, event loops, its end.

Each is a function that runs in a process of its own and prints what the caller sees, a line each.
The tests run them all; scripts/client_faults.py makes a table of them.
"""

from support.situations import endings, forks, greenlets, loops, threads
from support.situations._situation import SITUATIONS, Situation, see

__all__ = ["SITUATIONS", "Situation", "endings", "forks", "greenlets", "loops", "see", "threads"]
