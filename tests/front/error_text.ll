; This is not a module:
// exit: 2
// message: not an LLVM module
