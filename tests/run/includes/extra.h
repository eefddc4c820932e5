enum { EXTRA = 7 };
