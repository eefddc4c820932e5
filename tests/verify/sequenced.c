// args: verify {}
// exit: 0
// What is changed twice here is changed in an order.
int count, table[4];
static int same(int x) { return x; }
int main(void)
{
    int next = 0, *to = table, *from = table;
    count = count + 1;
    count = same(count++);
    count = (count++, count + 1);
    next = same(next) + same(count++);
    next = sizeof(next++) + next;
    if (count++ && count)
        next = count = 3;
    *to++ = *from++;
    table[next = 1] = count;
    next += next;
    count = next ? count : (next++, count);
    return 0;
}
