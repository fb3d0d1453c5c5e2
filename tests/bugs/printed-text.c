// What printf and its like print with %s is read: while another thread writes it, after it was freed, beyond its end.
// finding[-DPRINT='puts(shared)']: rc11 race
// finding[-DPRINT='fputs(shared,stdout)']: rc11 race
// finding[-DPRINT='perror(shared)']: rc11 race
// finding[-DPRINT='printf("%s",shared)']: rc11 race
// finding[-DPRINT='printf(shared)']: rc11 race
// finding[-DPRINT='fprintf(stderr,"%d%s",1,shared)']: rc11 race
// finding[-DPRINT='snprintf(text,8,"%s",shared)']: rc11 race
// finding[-DPRINT='write(1,shared,1)']: rc11 race
// finding[-DPRINT='fwrite(shared,1,1,stdout)']: rc11 race
// finding[-DPRINT='printf("%s",freed)']: rc11 use-after-free
// finding[-DPRINT='puts(freed)']: rc11 use-after-free
// finding[-DPRINT='printf("%s",endless)']: rc11 out-of-bounds
// finding[-DPRINT='printf("%.5s",endless)']: rc11 out-of-bounds
// finding[-DPRINT='printf("%s",(char*)0)']: rc11 null
// finding[-DPRINT='puts((char*)0)']: rc11 null
// finding[-DPRINT='printf("%s",local)']: rc11 uninitialised
// finding[-DPRINT='printf("%d%n",1,&number)']: rc11 race
// verdict[-DPRINT='printf("%.4s",endless)']: rc11 pass
// verdict[-DPRINT='printf("%.*s",4,endless)']: rc11 pass
// verdict[-DPRINT='printf("%f%s%c%5ld%%",1.5,"text",48,2l)']: rc11 pass
// verdict[-DPRINT='printf("%p",shared)']: rc11 pass
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char shared[4] = "a", endless[4] = {'a', 'b', 'c', 'd'}, text[8];
static char *freed;
static int number;

static void *write_it (void *arg) {
  shared[0] = 'b';
  number = 1;
  return arg;
}

int main (void) {
  pthread_t t;
  char local[4];
  freed = malloc (4);
  freed[0] = 0;
  free (freed);
  pthread_create (&t, NULL, write_it, NULL);
  PRINT;
  pthread_join (t, NULL);
  (void)endless, (void)text, (void)local;
  return 0;
}
