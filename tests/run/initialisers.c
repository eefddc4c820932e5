#include <stdio.h>

struct inner {
    int a, b[3];
};
struct outer {
    struct inner inner[2];
    union {
        int number;
        char text[8];
    };
    const char *name;
};

static int global;
static int *pointer = &global;
static struct outer constant = {.inner[1].b = {[2] = 9}, .text = "text", .name = "outer" "most"};
static char exact[3] = "abc";
static int counted[] = {1, 2, [5] = 6};

int main(void) {
    *pointer = 3;
    printf("%d %d %s %s\n", global, constant.inner[1].b[2], constant.text, constant.name);
    printf("%c %zu\n", exact[2], sizeof counted / sizeof counted[0]);
    struct outer local = {{{1, {2, 3, 4}}, {5}}, 6};
    printf("%d %d %d %d\n", local.inner[0].b[2], local.inner[1].a, local.inner[1].b[0], local.number);
    for (int round = 0; round < 2; round++) {
        static int kept = 10;
        int fresh[3] = {kept++};
        printf("%d %d\n", fresh[0], fresh[2]);
    }
    printf("%d\n", (struct inner){.b = {4, 5}}.b[1]);
    // Strings without the braces of the records around their arrays.
    struct word {
        char text[8];
    } words[2] = {"one", "two"};
    static struct {
        struct word word;
        int number;
        const char *name;
    } table[] = {"three", 3, "drei", "four", 4, "vier"};
    printf("%s %s %s %d %s %s %d %s\n", words[0].text, words[1].text, table[0].word.text, table[0].number,
           table[0].name, table[1].word.text, table[1].number, table[1].name);
    printf("%ls %zu\n", L"wide", sizeof u8"é");
    return 0;
}
