"""Accounts that are linked, where facts come from, and which menus were published."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply it."""
    op.create_table(
        "published_menus",
        sa.Column("platform", sa.String(length=32), nullable=False),
        sa.Column("bot_id", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("platform", "bot_id", name=op.f("pk_published_menus")),
    )
    op.create_table(
        "link_codes",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("used_by", sa.String(length=100), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_link_codes_person_id_persons"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_link_codes")),
        sa.UniqueConstraint("digest", name=op.f("uq_link_codes_digest")),
    )
    op.create_table(
        "link_guesses",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("guessed_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["persons.id"],
            name=op.f("fk_link_guesses_person_id_persons"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_link_guesses")),
    )
    with op.batch_alter_table("persons", schema=None) as batch_op:
        batch_op.add_column(sa.Column("merged_into", sa.String(length=32), nullable=True))
    with op.batch_alter_table("profile_facts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("origin", sa.String(length=100), nullable=True))


def downgrade() -> None:
    """Take it back."""
    with op.batch_alter_table("profile_facts", schema=None) as batch_op:
        batch_op.drop_column("origin")

    with op.batch_alter_table("persons", schema=None) as batch_op:
        batch_op.drop_column("merged_into")

    op.drop_table("link_guesses")
    op.drop_table("link_codes")
    op.drop_table("published_menus")
