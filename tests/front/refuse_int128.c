// Refused by name when it is reached.
// ir: this operation on an integer of 128 bits
// run: incomplete
unsigned __int128 wide = 100;
int main (void) { return (int)(wide / 3); }
