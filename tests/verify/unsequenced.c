// args: verify {}
// exit: 1
// Which argument is evaluated first is left open, and both change the counter.
int count;
static int difference(int a, int b) { return a - b; }
int main(void)
{
    return difference(count++, count++);
}
