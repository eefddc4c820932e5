// args: run -DNAME="quod" -include extra.h {}
#include "greeting.h"
#include "greeting.h"
#include <stdio.h>

#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)

int main(void) {
    printf("%s, %s, %d\n", GREETING, EXPANDED(NAME), EXTRA);
    return 0;
}
