//! The headers that come with the tool.

pub fn header_text(_name: &str) -> Option<&'static str> {
    None
}

pub fn header_names() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
