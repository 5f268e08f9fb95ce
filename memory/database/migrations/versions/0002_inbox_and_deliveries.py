"""Inbox, deliveries, panels, and whether a line says what was kept."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "deliveries",
        sa.Column("place", sa.String(length=160), nullable=False),
        sa.Column("message_id", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("content", sa.JSON(), nullable=True),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("place", "message_id", name=op.f("pk_deliveries")),
    )
    op.create_table(
        "inbox",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("update_id", sa.String(length=64), nullable=False),
        sa.Column("lane", sa.String(length=160), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_inbox")),
        sa.UniqueConstraint("source", "update_id", name=op.f("uq_inbox_source")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_inbox_source_state_lane", ["source", "state", "lane", "number"], unique=False
        )

    op.create_table(
        "moved_chats",
        sa.Column("platform", sa.String(length=32), nullable=False),
        sa.Column("chat_id", sa.String(length=64), nullable=False),
        sa.Column("known_as", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("platform", "chat_id", name=op.f("pk_moved_chats")),
    )
    op.create_table(
        "unreachable_places",
        sa.Column("place", sa.String(length=160), nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("place", name=op.f("pk_unreachable_places")),
    )
    op.create_table(
        "panels",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_panels_person_id_persons"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_panels")),
    )
    with op.batch_alter_table("persons", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("tells_kept", sa.Boolean(), server_default=sa.true(), nullable=False)
        )

    with op.batch_alter_table("profile_facts", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("scope", sa.String(length=160), server_default="private", nullable=False)
        )

    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.add_column(sa.Column("replies_to", sa.String(length=32), nullable=True))
        batch_op.create_index("ix_turns_replies_to", ["replies_to"], unique=True)


def downgrade() -> None:
    """Take it back."""
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_index("ix_turns_replies_to")
        batch_op.drop_column("replies_to")

    with op.batch_alter_table("profile_facts", schema=None) as batch_op:
        batch_op.drop_column("scope")

    with op.batch_alter_table("persons", schema=None) as batch_op:
        batch_op.drop_column("tells_kept")

    op.drop_table("panels")
    op.drop_table("unreachable_places")
    op.drop_table("moved_chats")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index("ix_inbox_source_state_lane")

    op.drop_table("inbox")
    op.drop_table("deliveries")
