"""``memora eval``: measurements that anyone can repeat, and what is fitted from them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.providers import CALIBRATION_FILE, open_embedder
from bot.settings import Configuration
from memory.calibrating import (
    Report,
    fit_calibration,
    fit_treatment,
    judge,
    read_background,
    read_labelled,
    report,
)
from memory.calibration import CalibrationFile, general_calibration
from memory.embedder import Embedder
from memory.embedders.local import MODEL, LocalEmbedder, RawLocalModel

COMMAND = "memora eval calibrate"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration, how it does on each half, and where it was written."""

    file: CalibrationFile
    reports: tuple[Report, Report]
    written_to: Path


async def calibrate(configuration: Configuration, output: Path | None) -> Fitted:
    """Fit the configured embedder's calibration and write it to ``output``.

    Without an output it goes where the bot reads it: the data folder. The local embedder's comes
    with the package, together with the treatment of its vectors, which is fitted here as well.
    """
    if configuration.settings.embedding.provider == "local":
        file, reports = await _calibrate_local(configuration.settings.embedding.threads)
    else:
        async with open_embedder(configuration) as embedder:
            file, reports = await _fit(embedder, embedder.fingerprint)
    path = output or configuration.settings.data_folder / CALIBRATION_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(file.model_dump(mode="json"), ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")
    return Fitted(file, reports, path)


async def _calibrate_local(threads: int) -> tuple[CalibrationFile, tuple[Report, Report]]:
    raw = RawLocalModel(threads)
    passages, queries = read_background()
    treatment = fit_treatment(raw.encode(passages, "passage"), raw.encode(queries, "query"))
    embedder = LocalEmbedder(raw, treatment=treatment, calibration=general_calibration(MODEL))
    try:
        file, reports = await _fit(embedder, MODEL)
    finally:
        await embedder.aclose()
    return file.model_copy(update={"treatment": treatment}), reports


async def _fit(embedder: Embedder, name: str) -> tuple[CalibrationFile, tuple[Report, Report]]:
    labelled = read_labelled()
    tuning = await judge(embedder, labelled, "tuning")
    reporting = await judge(embedder, labelled, "reporting")
    fitted_on = f"fitted by '{COMMAND}' on {len(tuning)} queries in English and Chinese"
    calibration = fit_calibration(tuning, fitted_on=fitted_on)
    file = CalibrationFile(embedder=name, calibration=calibration)
    return file, (
        report(tuning, calibration, "tuning"),
        report(reporting, calibration, "reporting"),
    )


def report_lines(reports: Sequence[Report]) -> list[str]:
    """Return the reports as a table of plain lines."""
    columns = ("half", "queries", "off topic", "recall@1", "recall@3", "right kept", "off empty")
    lines = ["  ".join(f"{column:>10}" for column in columns)]
    for item in reports:
        cells = [
            value if isinstance(value, int | str) else f"{value:.3f}"
            for value in asdict(item).values()
        ]
        lines.append("  ".join(f"{cell:>10}" for cell in cells))
    return lines
