// args: run --format junit {}
// exit: 4
int main(void) {
    return missing;
}
