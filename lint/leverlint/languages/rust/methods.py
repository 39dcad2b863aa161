"""Methods of the standard library that names pass through on their way to a read."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRANSPARENT = _words(
    """as_str as_ref as_deref as_deref_mut as_mut as_bytes as_ptr as_os_str as_c_str as_slice
    as_mut_slice as_path to_string to_owned to_str to_vec to_bytes to_string_lossy into into_owned
    into_string into_boxed_str into_bytes clone cloned copied borrow deref unwrap expect
    unwrap_or_default unwrap_unchecked ok leak by_ref cast iter iter_mut into_iter rev skip take
    filter peekable collect inspect step_by skip_while take_while sorted dedup unique with_nul
    as_bytes_with_nul to_bytes_with_nul par_iter into_par_iter keys flatten stop fuse
    as_encoded_bytes into_vec try_into flat_map"""
)
"""Methods whose result is, as far as names go, what they are called on."""

CHANGING = {
    "to_uppercase": "upper",
    "to_ascii_uppercase": "upper",
    "to_lowercase": "lower",
    "to_ascii_lowercase": "lower",
    "trim": "strip",
    "trim_start": "strip",
    "trim_end": "strip",
}

PICKING = frozenset({"first", "last", "next", "next_back", "nth", "pop", "get", "min", "max", "find"})
"""Methods that give some item of a sequence."""

FALLING_BACK = frozenset({"unwrap_or", "or", "unwrap_or_else", "or_else", "map_or", "chain"})

APPLYING = _words(
    """map filter filter_map flat_map any all find find_map for_each try_for_each position rposition
    take_while skip_while map_while partition inspect max_by_key min_by_key sort_by_key then
    is_some_and is_ok_and is_none_or and_then map_or map_or_else par_map group_by dedup_by_key
    retain find_any"""
)
"""Methods that call what they are given with the items, or the content, of what they are called on."""

SEQUENCE_MAKING = _words(
    """iter iter_mut into_iter par_iter into_par_iter keys values drain enumerate zip chain rev
    split_whitespace lines split chars bytes peekable skip take flat_map filter_map map_while"""
)

WRAPPING_CALLS = _words(
    """Some Ok Box String::from OsString::from OsStr::new Cow::Borrowed Cow::from Cow::Owned CString::new
    CStr::from_bytes_with_nul CStr::from_bytes_with_nul_unchecked CStr::from_ptr Box::new Box::from
    Arc::from Arc::new Rc::from Rc::new Into::into From::from ToString::to_string ToOwned::to_owned
    AsRef::as_ref str::from_utf8 String::from_utf8 str::to_string str::to_owned Path::new PathBuf::from
    Vec::from Clone::clone identity Reverse black_box HashSet::from BTreeSet::from
    HashMap::from_iter BTreeMap::from_iter Vec::from_iter
    String::from_utf8_lossy str::from_utf8_unchecked std::convert::identity"""
)
"""Calls, by the last two segments of their path, that give their argument back in other clothes."""

SILENT_MACROS = _words(
    """println eprintln print eprint write writeln panic assert assert_eq assert_ne debug_assert
    debug_assert_eq debug_assert_ne todo unimplemented unreachable info warn error debug trace bail
    anyhow ensure event span log stringify include_str include_bytes include compile_error
    format_args info_span warn_span error_span debug_span trace_span instrument eyre quote json
    matches cfg concat_idents line file module_path column select join tokio_test assert_snapshot
    assert_matches insta assert_contains assert_ok assert_err cargo_warning"""
)
"""Macros that show or check text and look nothing up."""

VALUE_MACROS = _words("format concat vec dbg smallvec hashset btreeset format_args cstr c_str")
"""Macros whose result carries the text that they are given."""

CARRYING = (
    APPLYING
    | TRANSPARENT
    | PICKING
    | FALLING_BACK
    | frozenset({*CHANGING, "enumerate", "zip", "concat", "join"})
)
"""Methods from whose result a name may come out again."""

STANDARD = APPLYING | TRANSPARENT | FALLING_BACK | frozenset({*CHANGING, "push", "insert", "extend", "zip"})
"""Methods that are hardly ever anything but the standard library's."""

HOLDING = _words(
    """clone as_ref as_mut as_deref as_deref_mut unwrap expect unwrap_or_else unwrap_or_default borrow
    borrow_mut lock get to_owned cloned copied ok ok_or ok_or_else map_err context with_context deref
    get_or_init get_mut first last next iter into_iter collect filter upgrade by_ref take"""
)
"""Methods of pointers, options and sequences that give what they hold, or a part of it."""

HOLDERS = _words(
    """Vec Option VecDeque HashSet BTreeSet Iter Result Box Rc Arc Weak Pin LazyLock Lazy LazyCell OnceLock
    OnceCell Cow Mutex RwLock RefCell Cell Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard"""
)
"""Types whose methods give what they hold."""

MARKERS = _words(
    """Send Sync Sized Clone Copy Debug Display Default Eq PartialEq Ord PartialOrd Hash Unpin Any Error
    Serialize Deserialize DeserializeOwned UnwindSafe RefUnwindSafe Freeze"""
)
"""Traits that nobody looks variables up with."""
