import re
from pathlib import Path

import pytest

from bot.settings import Settings, load_configuration, read_config_file, variables
from memory.errors import ConfigError

CONFIG = Path(__file__).parents[2] / "config.yaml"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def configured(text, tmp_path, **environment):
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    return load_configuration({"MEMORA_CONFIG": str(tmp_path / "mine.yaml"), **environment})


def test_the_file_in_the_project_holds_every_setting_with_its_default():
    values = read_config_file(CONFIG)

    assert Settings.model_validate(values) == Settings()
    assert set(paths(values)) == set(variables().values())


def paths(values, parents=()):
    for name, value in values.items():
        if isinstance(value, dict):
            yield from paths(value, (*parents, name))
        else:
            yield (*parents, name)


def test_every_setting_in_the_file_has_a_line_on_it():
    lines = CONFIG.read_text(encoding="utf-8").splitlines()
    settings = [line for line in lines if re.match(r" *\w+: \S", line)]

    assert settings
    assert [line for line in settings if " # " not in line] == []


def test_without_file_and_variables_the_defaults_hold():
    configuration = load_configuration({})

    assert configuration.settings == Settings()
    assert configuration.source is None
    assert configuration.secrets.openai_api_key is None


def test_config_yaml_in_the_working_folder_is_read(tmp_path):
    (tmp_path / "config.yaml").write_text("retrieval: {limit: 2}", encoding="utf-8")

    assert load_configuration({}).settings.retrieval.limit == 2


@pytest.mark.parametrize("name", sorted(variables()))
def test_every_setting_has_a_variable_of_its_own(name):
    path = variables()[name]
    wrong = "no such value \x00" if path[-1] != "scope" else "x" * 3000
    if path[-1] in {"data_dir", "model", "listen"}:
        configuration = load_configuration({name: "given"})
        value = configuration.settings.model_dump(mode="json")
        for part in path:
            value = value[part]
        assert value == "given"
    else:
        with pytest.raises(ConfigError, match=r"^" + path[0]):
            load_configuration({name: wrong})


def test_a_variable_wins_over_the_file(tmp_path):
    configuration = configured(
        "retrieval: {min_score: 0.3, limit: 2}", tmp_path, MEMORA_RETRIEVAL_MIN_SCORE="0.6"
    )

    assert configuration.settings.retrieval.min_score == 0.6
    assert configuration.settings.retrieval.limit == 2


def test_an_empty_variable_is_none():
    assert load_configuration({"MEMORA_LLM_MODEL": ""}).settings.llm.model == Settings().llm.model


def test_dotenv_gives_secrets_and_the_environment_wins(tmp_path):
    (tmp_path / ".env").write_text(
        "OPENAI_API_KEY=sk-from-file\nMEMORA_LLM_MODEL=small\n", encoding="utf-8"
    )

    from_file = load_configuration({})
    from_environment = load_configuration({"OPENAI_API_KEY": "sk-from-environment"})

    assert from_file.secrets.openai_api_key.get_secret_value() == "sk-from-file"
    assert from_file.settings.llm.model == "small"
    assert from_environment.secrets.openai_api_key.get_secret_value() == "sk-from-environment"


def test_a_secret_is_never_printed():
    configuration = load_configuration({"OPENAI_API_KEY": "sk-marked"})

    assert "sk-marked" not in f"{configuration!r} {configuration} {configuration.secrets}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("retrieval: {min_scor: 1}", "retrieval.min_scor: no such setting; did you mean min_score"),
        ("retreival: {}", "retreival: no such setting; did you mean retrieval"),
        ("llm: {api_key: sk-marked}", "llm.api_key: no such setting .secrets are read from"),
        ("retrieval: {weights: {relevance: 0.7}}", "retrieval.weights: must sum to 1, found 0.9"),
        ("retrieval: {limit: 9}", r"retrieval: limit must be at most candidate_k \(8\), found 9"),
        ("retrieval: {min_score: high}", "retrieval.min_score: .*number.*, found 'high'"),
        ("retrieval: {limit: 0}", "retrieval.limit: .*greater than or equal to 1, found 0"),
        ("llm: {api: respones}", "llm.api: .*'responses' or 'chat_completions', found 'respones'"),
        ("llm: {base_url: localhost}", "llm.base_url: .*found 'localhost'"),
        ("conversation: {time_zone: Taipei}", "conversation.time_zone: .*IANA name.*'Taipei'"),
        ("retrieval: 3", "retrieval: expected a section, found 3"),
        ("[1]", "expected a mapping of settings, found list"),
        ("a: [", "is no YAML"),
    ],
)
def test_a_fault_names_the_setting_and_what_was_found(text, complaint, tmp_path):
    with pytest.raises(ConfigError, match=complaint) as caught:
        configured(text, tmp_path)
    assert "sk-marked" not in str(caught.value)


def test_all_faults_are_named_at_once(tmp_path):
    with pytest.raises(ConfigError) as caught:
        configured("retrieval: {limit: 0}\njobs: {concurrency: none}", tmp_path)

    assert len(str(caught.value).splitlines()) == 2


def test_an_unknown_variable_is_named_with_the_nearest():
    with pytest.raises(ConfigError, match="did you mean MEMORA_RETRIEVAL_MIN_SCORE"):
        load_configuration({"MEMORA_RETRIEVAL_MIN_SCOR": "1"})


def test_a_named_file_must_exist():
    with pytest.raises(ConfigError, match=r"nowhere.yaml: cannot be read"):
        load_configuration({"MEMORA_CONFIG": "nowhere.yaml"})


def test_an_empty_file_is_the_defaults(tmp_path):
    assert configured("# nothing\n", tmp_path).settings == Settings()
