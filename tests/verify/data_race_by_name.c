// args: verify --check data-race {}
// exit: 1
#include <pthread.h>
int shared;
void *set(void *value) { shared = 1; return value; }
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, set, 0);
    pthread_create(&two, 0, set, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
