"""BenchExec tool-info modules for Quod."""
