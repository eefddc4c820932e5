struct broken {
    int missing_semicolon
    int other;
};
