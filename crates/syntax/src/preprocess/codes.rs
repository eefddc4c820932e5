//! The stable codes of what the lexer and the preprocessor say.

use quod_diag::Code;

pub const UNTERMINATED_COMMENT: Code = Code(1);
pub const UNTERMINATED_LITERAL: Code = Code(2);
pub const NOT_UTF8: Code = Code(3);
pub const UNKNOWN_DIRECTIVE: Code = Code(4);
pub const BAD_DEFINE: Code = Code(5);
pub const MACRO_REDEFINED: Code = Code(6);
pub const MACRO_ARGUMENTS: Code = Code(7);
pub const BAD_PASTE: Code = Code(8);
pub const EXPANSION_TOO_LARGE: Code = Code(9);
pub const BAD_CONDITION: Code = Code(10);
pub const UNBALANCED_CONDITION: Code = Code(11);
pub const HEADER_NOT_FOUND: Code = Code(12);
pub const INCLUDE_TOO_DEEP: Code = Code(13);
pub const BAD_INCLUDE: Code = Code(14);
pub const ERROR_DIRECTIVE: Code = Code(15);
pub const WARNING_DIRECTIVE: Code = Code(16);
pub const BAD_LINE: Code = Code(17);
pub const BAD_PRAGMA: Code = Code(18);
pub const TOO_MUCH_TEXT: Code = Code(19);
pub const EXTRA_TOKENS: Code = Code(20);
