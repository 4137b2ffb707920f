"""The table in a real browser: Playwright with Debian's Chromium against a real server."""
