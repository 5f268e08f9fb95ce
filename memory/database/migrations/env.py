"""How Alembic runs here: on the connection it is handed, inside the caller's transaction."""

from alembic import context

from memory.database.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
