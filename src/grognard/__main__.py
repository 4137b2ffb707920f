"""`python -m grognard`."""

from grognard.cli.main import main

main()
