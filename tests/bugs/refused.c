// What porf does not follow is refused by its name when it is reached, at the line that asks for it, and only then.
// verdict: rc11 pass
// unsupported[-DREACH=fork()]: rc11 the call of `fork`: only the threads of one process
// unsupported[-DREACH=system(text)]: rc11 the call of `system`: only the threads of one process
// unsupported[-DREACH=signal(SIGINT,SIG_IGN)]: rc11 the call of `signal`: signals are not supported
// unsupported[-DREACH=raise(SIGINT)]: rc11 the call of `raise`: signals
// unsupported[-DREACH=setjmp(place)]: rc11 setjmp`: jumps out of a function
// unsupported[-DREACH=pthread_cancel(pthread_self())]: rc11 the call of `pthread_cancel`: thread cancellation is not supported
// unsupported[-DREACH=getchar()]: rc11 the call of `getchar`: files and input are not supported
// unsupported[-DREACH=fopen(text,text)]: rc11 the call of `fopen`: files and input are not supported
// unsupported[-DREACH=mmap(0,4096,0,0,-1,0)]: rc11 the call of `mmap`: mapped memory
// unsupported[-DREACH=syscall(202)]: rc11 the call of `syscall`: raw system calls are not supported
// unsupported[-DREACH=helper(1)]: rc11 the call of `helper`: no file given defines it, and porf's C library does not have it
// unsupported[-DREACH=strtod(text,0)]: rc11 strtod of a number of more than 15 digits
// unsupported[-DREACH=write(7,text,1)]: rc11 write to a file
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int helper (int);
jmp_buf place;
const char *text = "0.12345678901234567890";

#ifndef REACH
#define REACH 0
#define REACHED 0
#else
#define REACHED 1
#endif

int main (int argc, char **argv) {
  (void)argv;
  if (argc > 1) helper (fork ());
  if (REACHED) (void)REACH;
  return 0;
}
