// args: verify {}
// exit: 1
// To count is to read and then to write, whatever is asked about the program.
#include <assert.h>
#include <pthread.h>
int count;
void *add(void *value) { count++; return value; }
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(count == 2);
}
