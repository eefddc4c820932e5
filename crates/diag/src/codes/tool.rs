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
}
