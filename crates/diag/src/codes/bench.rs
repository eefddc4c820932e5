//! Codes of benchmarks (Q6001 to Q6999).

super::declare! {
    /// A file that the benchmark names cannot be read: it is not there, or the permissions forbid it.
    6001 BENCH_UNREADABLE "a file of the benchmark cannot be read";

    /// A benchmark definition or a result file is not well-formed XML. The message has the line and column where reading
    /// stopped.
    6002 BENCH_MALFORMED_XML "malformed XML";

    /// A benchmark definition (the XML of BenchExec) lacks something, or has an element or attribute that is not known.
    6003 BENCH_BAD_DEFINITION "wrong benchmark definition";

    /// A task definition or a set of tool options is not well-formed YAML. The message has the line where reading stopped.
    6004 BENCH_MALFORMED_YAML "malformed YAML";

    /// A task definition (`.yml`, format version 2.0) lacks something that every task has, such as `input_files`, or has a value
    /// that makes no sense.
    6005 BENCH_BAD_TASK "wrong task definition";

    /// A pattern for tasks, or an include of a benchmark definition, matches no file. Check the spelling and the folder that it is
    /// relative to.
    6006 BENCH_NO_MATCH "a pattern matches no file";

    /// A description of a tool (TOML) lacks something or has a value that makes no sense. `quod bench tools` lists the
    /// descriptions that ship with the program; one of them is a good start.
    6007 BENCH_BAD_TOOL "wrong tool description";

    /// The program that a tool description starts is not on the path. Install it, or say where it is with `--tool-directory`.
    6008 BENCH_TOOL_NOT_INSTALLED "the tool is not installed";

    /// A result file does not have the form that BenchExec and this program write.
    6009 BENCH_BAD_RESULT "wrong result file";

    /// A file that says which categories are made of which task sets lacks something, or names what does not exist.
    6010 BENCH_BAD_STRUCTURE "wrong structure of categories";

    /// An option of `quod bench` has a value that makes no sense, such as a memory limit without a number.
    6011 BENCH_BAD_VALUE "wrong value of an option";

    /// The journal of a benchmark that was interrupted cannot be used to go on: it belongs to another definition, or is damaged.
    6012 BENCH_BAD_JOURNAL "wrong journal";

    /// The machine does not let the benchmark do what it must: control groups, name spaces, files, processes. The message has
    /// the system's reason.
    6013 BENCH_MACHINE "the machine does not allow it";
}
