"""The memory system: what a person said, what may be kept of it, and what fits the moment.

This package knows no chat platform and never imports ``bot``. ``memory.person`` is its face.
"""
