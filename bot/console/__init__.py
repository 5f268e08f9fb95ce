"""The console: one person at a terminal, or a script at a pipe."""
