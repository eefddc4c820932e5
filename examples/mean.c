// The mean of some numbers: right as long as there are any.
int mean(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}
