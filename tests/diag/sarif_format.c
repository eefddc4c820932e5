// args: run --format sarif {}
// exit: 4
int main(void) {
    return missing;
}
