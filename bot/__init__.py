"""The bot: platforms, commands, conversation, background jobs, and the wiring of it all."""
