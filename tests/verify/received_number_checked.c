// args: verify --property no-overflow {}
// exit: 0
extern int socket(int, int, int);
extern long recv(int, void *, unsigned long, int);
extern int atoi(const char *);

int main(void) {
    char text[8] = "";
    int line = socket(2, 1, 0);
    if (line == -1)
        return 1;
    long count = recv(line, text, sizeof text - 1, 0);
    if (count < 1)
        return 1;
    text[count] = 0;
    int number = atoi(text);
    if (number > 2000000 || number < -2000000)
        return 2;
    return number * 1000;
}
