// args: verify --property valid-memsafety {}
// exit: 0
struct pair { int first, second; };
static int sum(const struct pair *pair) { return pair->first + pair->second; }
int main(void)
{
    int total = 0;
    for (int i = 0; i < 3; i++)
        total += sum(&(struct pair){i, 1});
    if (total)
        total = sum(&(struct pair){total, 1});
    struct pair copy = ({ (struct pair){total, 2}; });
    int number = ({ int inner = copy.first; inner + ({ (int){4}; }); });
    struct pair *last = &(struct pair){number, 0};
    switch (last->first)
    case 11:
        last = (struct pair[]){{1, 2}}, total = last->second;
    return total;
}
