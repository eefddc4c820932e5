#include <stdatomic.h>
#include <stdio.h>

static _Thread_local int local = 5;

int main(void) {
    atomic_int counter = 3;
    atomic_fetch_add(&counter, 4);
    int expected = 7;
    _Bool is_swapped = atomic_compare_exchange_strong(&counter, &expected, 10);
    printf("%d %d %d\n", atomic_load(&counter), is_swapped, local++);
    int plain = 1;
    int before = __sync_fetch_and_add(&plain, 2);
    printf("%d %d\n", before, __atomic_load_n(&plain, __ATOMIC_SEQ_CST));
    return 0;
}
