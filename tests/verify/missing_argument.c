// args: verify --property def-behavior {}
// exit: 1
#include <stdio.h>
int main(void)
{
    int count = 3;
    printf("%d of %d\n", count);
    return 0;
}
