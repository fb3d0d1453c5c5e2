// Refused by name when it is reached.
// ir: variable that no file defines: nowhere
// run: incomplete
extern int nowhere;
int main (void) { return nowhere; }
