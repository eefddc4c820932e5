//! Codes of the tool itself and its command line (Q9001 to Q9999).

super::declare! {
    /// The tool has a bug: something that should never happen happened. The program that you gave is not to blame, whatever
    /// it contains. Nothing was concluded about it.
    ///
    /// Please report it with the command line, the input and the text of the message.
    9001 INTERNAL_ERROR "internal error";

    /// A file that was named on the command line cannot be read: it is not there, it is a directory, or the permissions
    /// forbid it. The message has the operating system's reason.
    9002 CANNOT_READ_FILE "cannot read a file";

    /// The command line asks for something that the tool does not offer. `quod --help` lists the commands and
    /// `quod COMMAND --help` the options of one.
    9003 USAGE "wrong usage";

    /// `quod run` needs a function to start with: `int main(void)` or `int main(int argc, char *argv[])`. A file that only has
    /// other functions can be looked at with `quod show`.
    9004 NO_MAIN "no main function";

    /// The run met `__VERIFIER_assume(e)`, `$assume(e)` or a guard that can never hold with `e` false. Such an execution does
    /// not count: nothing is wrong with the program, and nothing more is to be seen. Other inputs or another schedule may get
    /// further.
    9005 NO_EXECUTION "an assumption is false";

    /// The program was given up after the number of steps that `--max-steps` allows. It may run for ever, or only longer.
    9006 STEP_LIMIT "step limit reached";
}
