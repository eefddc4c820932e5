// args: verify --property valid-memsafety {}
// exit: 1
// A compound literal lives as long as the block around it, also where a block has no braces.
int main(void)
{
    int *kept = 0;
    if (!kept)
        kept = (int[]){1, 2};
    return *kept;
}
