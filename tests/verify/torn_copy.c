// args: verify --property unreach-call {}
// exit: 3
// A structure is copied word by word: another thread may see half of it.
#include <pthread.h>
extern void reach_error(void);
struct pair { long first, second; } shared;
void *set(void *value)
{
    struct pair both = {1, 1};
    shared = both;
    return value;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, set, 0);
    struct pair seen = shared;
    if (seen.first != seen.second)
        reach_error();
    pthread_join(other, 0);
}
