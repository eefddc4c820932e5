//! Reproducible benchmarking: runs under limits, scores, tables, plots and clusters.
