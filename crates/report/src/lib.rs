//! HTML reports: benchmark tables and plots as one file that opens from the disk, the same plots as SVG and as text.
//! Nothing here touches disk or terminal: values go in, text comes out.

pub mod bench;
