// args: verify --property unreach-call {}
// exit: 0
// Nobody else uses what is copied while the lock is held.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
struct pair { long first, second; char name[8]; } shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *set(void *value)
{
    struct pair both = {1, 1, "two"};
    pthread_mutex_lock(&lock);
    shared = both;
    strcpy(shared.name, "three");
    pthread_mutex_unlock(&lock);
    return value;
}
int main(void)
{
    pthread_t other;
    struct pair seen;
    pthread_create(&other, 0, set, 0);
    pthread_mutex_lock(&lock);
    memcpy(&seen, &shared, sizeof seen);
    pthread_mutex_unlock(&lock);
    if (seen.first != seen.second)
        reach_error();
    pthread_join(other, 0);
}
