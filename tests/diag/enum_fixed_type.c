// exit: 4
// What an enumeration with a fixed type cannot be.
enum small : unsigned char { FITS = 255, TOO_LARGE = 256 };
enum wrong : float { ZERO };

int main(void) {
    return FITS + ZERO;
}
