import pytest

from bot.deliveries import Deliveries, Part
from bot.messages import Button, OutgoingMessage, Place

PLACE = Place("telegram", "77")
MESSAGE = OutgoingMessage("Hello", is_markdown=True, buttons=((Button("Undo", "x.undo"),),))


@pytest.fixture
def deliveries(database, clock):
    return Deliveries(database, clock)


async def test_a_delivery_is_found_as_far_as_it_had_come(deliveries):
    delivery = await deliveries.open(PLACE, "1/5")
    delivery.content = MESSAGE
    delivery.parts.append(Part("9", is_final=False))
    await deliveries.save(delivery)

    assert await deliveries.open(PLACE, "1/5") == delivery


async def test_what_is_out_stays_out_and_its_words_are_not_kept(deliveries):
    delivery = await deliveries.open(PLACE, "1/5")
    delivery.content = MESSAGE
    await deliveries.finish(delivery, "done")

    again = await deliveries.open(PLACE, "1/5")

    assert again.state == "done"
    assert again.content is None


async def test_a_chat_that_refuses_is_remembered_until_someone_writes(deliveries):
    await deliveries.mark_unreachable(PLACE)
    await deliveries.mark_unreachable(PLACE)
    assert await deliveries.is_unreachable(PLACE)

    await deliveries.mark_reachable(PLACE)

    assert not await deliveries.is_unreachable(PLACE)
