"""The laws of the dice: what is needed, what counts for and against, what a die means.

Pure functions of a `Book` and of the parties to a fire or an assault; they know no position. Play rolls dice against
them, the odds add up their chances: there is one place for each number.
"""
