// exit: 4
int main(void) {
    const char *text = "no end;
    return 0;
}
/* this comment
never ends
