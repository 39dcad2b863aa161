"""One lever is decoded in two ways, so that a value means one thing here and another there.

Why: `=1`, `=1` or `true`, and mere presence look alike until somebody sets `true`, or `0`. Then
the lever is on in one half of the program and off in the other, and nothing says so.

The outcomes of both readers are worked out for what people set (nothing, `0`, `1`, `true`,
`off`, a number, a word, …) and for values close to the words that they know (with blanks, in
capitals, longer), in the meaning of their own language; the message shows a value on which they
part. The same number that is seconds here and milliseconds there is such a value.

Bad:

```python
import os

def loader():
    return os.environ.get("ATLAS_LORA", "0").lower() in ("1", "true")

def status():
    return os.environ.get("ATLAS_LORA") == "1"
```

```rust
fn loader() -> bool {
    std::env::var("ATLAS_LORA").is_ok_and(|v| v == "1" || v == "true")
}

fn status() -> bool {
    std::env::var("ATLAS_LORA").as_deref() == Ok("1")
}
```

Good:

```python
def loader(levers):
    return levers.lora

def status(levers):
    return levers.lora
```

```rust
fn loader(levers: &ModelLevers) -> bool {
    levers.lora
}
```

Fix: decode the lever once, in a resolver, and use its field in both places. Choose the decoding
deliberately: whoever set a value that only one of them took will see a change.

Limits: what a reader does with a value is only compared where it can be told. A reader that
takes the text as it is, or a number where the other takes a switch, is not compared; nor is a
test for presence when another reader takes the text. Asking for the opposite is no difference,
nor is the same amount, unset as well, counted in another unit, nor asking for something else: a
test that is on for no value that says on, and for none for which the other reader is (`in ("0", "off")`,
`< 0`). A test for presence or truth is a part of the reader beside it in the same function, or of the
one in a function that is called where the test allows it.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Related, Rule, outcome_words, value_words


def check(project: Project) -> Iterator[Diagnostic]:
    for found in project.disagreements():
        if found.partings:
            parting = found.partings[0]
            value = value_words(parting.text)
            here, there = outcome_words(parting.here), outcome_words(parting.there)
            yield RULE.at(
                found.reader.path,
                found.reader.span,
                f"`{found.lever}` is decoded in two ways: {value} is {here} here, {there} there",
                "decode it once, in a resolver, and use its field in both places",
                found.lever,
                [Related(found.reference.path, found.reference.span, f"for this reader, {value} is {there}")],
            )


RULE = Rule("LVR201", "decode-mismatch", "error", check)
