"""A build script reads a lever without telling cargo.

Why: cargo runs a build script again when a file changes, not when a variable does, unless the
script says `cargo:rerun-if-env-changed=NAME`. Without it, flipping the lever builds nothing
new, and the old choice stays in the binary.

Bad:

```rust
// build.rs
fn main() {
    let arch = std::env::var("ATLAS_CUDA_ARCH").unwrap_or_default();
    println!("cargo:rustc-env=ARCH={arch}");
}
```

Good:

```rust
// build.rs
fn main() {
    println!("cargo:rerun-if-env-changed=ATLAS_CUDA_ARCH");
    let arch = std::env::var("ATLAS_CUDA_ARCH").unwrap_or_default();
    println!("cargo:rustc-env=ARCH={arch}");
}
```

Fix: print the line for every lever that the script reads.

Limits: the declaration may stand anywhere in the files of the same build script, also in a
loop over names. A lever that the script sets itself needs none, nor does what cargo sets.
"""

import re
from collections.abc import Iterator

from leverlint import Diagnostic, Project, Rule

# What cargo sets for every build script, and watches itself.
_FROM_CARGO = re.compile(
    r"CARGO|CARGO_(CFG|FEATURE|PKG|MANIFEST)_\w+|CARGO_(MAKEFLAGS|ENCODED_RUSTFLAGS|TARGET_TMPDIR)|DEP_\w+"
    r"|OUT_DIR|TARGET|HOST|NUM_JOBS|OPT_LEVEL|DEBUG|PROFILE|RUSTC|RUSTDOC|RUSTC(_WORKSPACE)?_WRAPPER|RUSTC_LINKER"
)


def check(project: Project) -> Iterator[Diagnostic]:
    index = project.index
    # What a script sets for itself does not come from outside.
    settled = {(use.build_script, use.lever) for use in (*index.reruns, *index.writes)}
    for use in index.reads:
        if not use.build_script or use.api.compile_time or use.dynamic or _FROM_CARGO.fullmatch(use.lever):
            continue
        if (use.build_script, use.lever) not in settled:
            yield RULE.at(
                use.path,
                use.span,
                f"the build script reads `{use.lever}`, but is not run again when it changes",
                f'add `println!("cargo:rerun-if-env-changed={use.lever}");`',
                use.lever,
                project.related(use),
            )


RULE = Rule("LVR108", "missing-rerun", "warning", check)
