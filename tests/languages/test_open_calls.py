import pytest

from leverlint.languages.open_calls import spells_every_name


@pytest.mark.parametrize(
    "source",
    [
        "from a import flag",
        "import a.flag",
        "from a import (\n    other,\n    flag,\n)\n",
        "use a::{b, flag};",
        "pub(crate) use a::{\n    b::c,\n    flag,\n};",
        'x = flag("ATLAS_X", DEFAULT)',
        "x = flag(\n    'ATLAS_X')",
        'flag(&["ATLAS_A", "ATLAS_B"], 3)',
        'flag(b"ATLAS_X")',
        "flagged(NAME)",
        "my_flag(NAME)",
    ],
)
def test_nothing_is_hidden(source):
    assert spells_every_name(source.encode(), "flag")


@pytest.mark.parametrize(
    "source",
    [
        "x = flag(NAME)",
        'x = flag(f"{topic}_X")',
        'x = flag(name="ATLAS_X")',
        "names.map(flag)",
        "reader = flag",
        "call(\n    flag,\n    NAME,\n)",
        "use a::b;\nstruct S {\n    flag,\n}",
        "from a import (b)\ncall(\n    flag,\n)",
        'flag("ATLAS_X")\nflag(NAME)',
    ],
)
def test_something_may_be_hidden(source):
    assert not spells_every_name(source.encode(), "flag")
