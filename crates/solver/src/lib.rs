//! Deciding terms: a chain of small deciders, the embedded solver and a portfolio of processes.
