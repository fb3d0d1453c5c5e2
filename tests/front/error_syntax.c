// exit: 2
// message: error: expected expression
int main (void) { return + ; }
