// Refused by name when it is reached.
// ir: this operation on a 128-bit integer
// run: incomplete
unsigned __int128 wide = 100;
int main (void) { return (int)(wide / 3); }
