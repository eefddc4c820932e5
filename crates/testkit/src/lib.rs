//! Golden-file harness for the tests.
