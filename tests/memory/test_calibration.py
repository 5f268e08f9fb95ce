import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.calibration import (
    Calibration,
    CalibrationFile,
    Treatment,
    general_calibration,
    read_calibration,
    read_local_calibration,
)
from memory.errors import ConfigError

MAP = Calibration(points=((0.0, 0.0), (0.2, 0.45), (0.6, 1.0)), fitted_on="a test")
TREATMENT = Treatment(
    passage_mean=(1.0, 0.0, 0.0), query_mean=(0.0, 1.0, 0.0), directions=((0.0, 0.0, 1.0),)
)


@pytest.mark.parametrize(
    ("cosine", "relevance"),
    [(-1, 0), (0, 0), (0.1, 0.225), (0.2, 0.45), (0.4, 0.725), (0.6, 1), (1, 1)],
)
def test_relevance_is_linear_between_the_points_and_level_beyond(cosine, relevance):
    assert MAP.relevance(cosine) == pytest.approx(relevance)


@given(st.floats(min_value=-1, max_value=1), st.floats(min_value=-1, max_value=1))
def test_a_nearer_text_is_never_less_relevant(first, second):
    low, high = sorted((first, second))
    assert 0 <= MAP.relevance(low) <= MAP.relevance(high) <= 1


@pytest.mark.parametrize(
    "points",
    [
        ((0.0, 0.0),),
        ((0.2, 0.0), (0.1, 1.0)),
        ((0.1, 0.0), (0.1, 1.0)),
        ((0.0, 0.5), (1.0, 0.4)),
        ((0.0, -0.1), (1.0, 1.0)),
        ((0.0, 0.0), (1.0, 1.1)),
    ],
)
def test_points_that_do_not_rise_within_zero_and_one_are_refused(points):
    with pytest.raises(ValidationError):
        Calibration(points=points, fitted_on="a test")


def test_a_treatment_takes_out_mean_and_directions_and_keeps_length_one():
    passages = np.array([[3.0, 4.0, 5.0]], np.float32)

    (treated,) = TREATMENT.apply(passages, "passage")

    assert treated == pytest.approx([2 / np.hypot(2, 4), 4 / np.hypot(2, 4), 0])


def test_each_role_has_its_own_mean():
    vectors = np.array([[1.0, 1.0, 0.0]], np.float32)

    assert TREATMENT.apply(vectors, "passage")[0] == pytest.approx([0, 1, 0])
    assert TREATMENT.apply(vectors, "query")[0] == pytest.approx([1, 0, 0])


def test_a_vector_with_nothing_left_stays_finite():
    mean = np.array([[1.0, 0.0, 0.0]], np.float32)

    assert np.isfinite(TREATMENT.apply(mean, "passage")).all()


def test_another_treatment_has_another_name():
    other = TREATMENT.model_copy(update={"directions": ()})

    assert TREATMENT.digest != Treatment.model_validate(other.model_dump()).digest


def test_the_local_calibration_comes_with_the_package():
    treatment, calibration = read_local_calibration()

    assert treatment.dimensions == 384
    assert len(treatment.directions) == 2
    assert "memora eval calibrate" in calibration.fitted_on


def test_a_fitted_calibration_is_read_back_for_its_embedder_alone(tmp_path):
    path = tmp_path / "calibration.json"
    file = CalibrationFile(embedder="openai/small/1536", calibration=MAP)
    path.write_text(file.model_dump_json(), encoding="utf-8")

    assert read_calibration(path, embedder="openai/small/1536") == MAP
    assert read_calibration(path, embedder="other") == general_calibration("other")


def test_without_a_fitted_one_a_general_one_says_so(tmp_path):
    calibration = read_calibration(tmp_path / "none.json", embedder="openai/small/1536")

    assert "nothing yet" in calibration.fitted_on
    assert calibration.relevance(0.7) == 1.0


def test_a_damaged_calibration_names_the_file_and_the_way_out(tmp_path):
    path = tmp_path / "calibration.json"
    path.write_text("{", encoding="utf-8")

    with pytest.raises(ConfigError, match=r"calibration.json.*memora eval calibrate"):
        read_calibration(path, embedder="x")
