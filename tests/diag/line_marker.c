// exit: 4
# 40 "original.c"
int main(void) {
    return missing;
}
