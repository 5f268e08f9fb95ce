"""The relational database: SQLite by default, PostgreSQL where one machine is not enough."""

from memory.database.engine import Database

__all__ = ["Database"]
