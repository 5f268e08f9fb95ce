"""Discord: servers, threads, private messages, slash commands, buttons and menus.

As thin as every platform: it turns events into our messages and calls, and answers into Discord's
messages. It holds no rule that another platform would need too.
"""
