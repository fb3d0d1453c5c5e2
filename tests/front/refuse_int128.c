// Refused by name when it is reached.
// ir: integer of more than 64 bits
// run: incomplete
unsigned __int128 wide;
int main (void) { return (int)(wide >> 64); }
