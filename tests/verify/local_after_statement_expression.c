// args: verify --property valid-memsafety {}
// exit: 1
int main(void)
{
    int *kept = ({ int inner = 3; &inner; });
    return *kept;
}
