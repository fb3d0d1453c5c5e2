/* ranks.h - what the files of several ranks share; ranks.c says what ranks are.
 *
 *   messages.c     what they send each other
 *   steal.c        tasks that are begged for and given
 *   termination.c  what all have to know, and that nothing is left to do
 *   ranks.c        who talks, and the life of a rank
 */
#ifndef PORF_CLUSTER_RANKS_H
#define PORF_CLUSTER_RANKS_H

#include "cluster/cluster.h"
#include "parallel/parallel.h"

typedef enum Message {
  MESSAGE_HELLO,    /* 0 to all: there is something to explore */
  MESSAGE_BEGIN,    /* 0 to all: a generation begins, with what is known */
  MESSAGE_BEG,      /* give me a task */
  MESSAGE_TASK,     /* here it is */
  MESSAGE_NOTHING,  /* there is none */
  MESSAGE_FOUND,    /* to all: where the first finding is */
  MESSAGE_END,      /* to 0, and from 0 to all: the generation has to end, and how */
  MESSAGE_QUESTION, /* to 0: a fact */
  MESSAGE_ANSWER,   /* and what is known before it */
  MESSAGE_COUNT,    /* 0 to all: tell me, when you have nothing to do */
  MESSAGE_COUNTED,  /* how many tasks were sent and received */
  MESSAGE_PROGRESS, /* to 0: what was done since the last time */
  MESSAGE_COLLECT,  /* 0 to all: the generation is over */
  MESSAGE_RESULT,   /* what came of it */
  MESSAGE_OVER,     /* 0 to all: that was the exploration */
  MESSAGE_BYE,      /* 0 to all: there are no more */
} Message;

typedef enum Ending { ENDING_NOT, ENDING_PAUSED, ENDING_STOPPED, ENDING_RESTARTED } Ending;

typedef struct Beggar {
  u32 rank;
  double since;
} Beggar;

typedef struct Count {
  u64 sent, received;
} Count;

struct Ranks {
  Pool *pool;
  Cluster *cluster;
  pthread_t thread;
  Vm *server; /* of rank 0, for questions */
  bool is_done;
  u8 ending; /* that all were told of */
  VEC (Beggar) requesters;
  bool has_requested;
  double request_at, backoff;
  u64 random;
  Count count;
  bool must_count;    /* and tell rank 0 */
  bool is_counting;   /* rank 0: the others are being asked */
  u32 counted;        /* who have answered */
  Count sum, last;    /* of all; of the time before */
  bool is_collecting; /* rank 0 */
  u32 collected;      /* who have sent their results */
  bool has_found;     /* the others know, and: */
  Path found;
  u64 told_explored, told_nodes;
  double tell_at;
  pthread_mutex_t lock; /* of the rest: what is asked for some worker */
  pthread_cond_t answered;
  const Bytes *question;
  Bytes *answer;
  bool is_asked, is_answered;
};

#define NAP 0.0005
#define SHORT_NAP 0.00005
#define FIRST_BACKOFF 0.0002
#define MOST_BACKOFF 0.02
#define BEGGAR_WAITS 0.01
#define PROGRESS_EVERY 0.2

/* messages.c */
Bytes ranks_message (const Cluster *c, Message kind);
void ranks_post (Cluster *c, u32 to, Bytes *b);
void ranks_post_to_others (Cluster *c, Bytes *b);
void ranks_post_to_all (Cluster *c, Message kind);
void ranks_refuse (Cluster *c, u32 who, u64 generation);
void ranks_sleep (double seconds);
void ranks_put_parcel (Bytes *b, const Parcel *p);
Parcel *ranks_get_parcel (ByteReader *r);
void ranks_put_result (Bytes *b, const Pool *p, bool keeps_tasks);
void ranks_get_result (ByteReader *r, Pool *p);

/* Facts: what a worker asks for rank 0 answers. */
void ranks_ask (void *arg, const Bytes *question, Bytes *answer);
bool ranks_send_question (Ranks *r);
void ranks_take_answer (Ranks *r, const ByteReader *answer);
bool ranks_wait_for_answer (Ranks *r);
void ranks_answer_question (Ranks *r, u32 who, ByteReader *question);

/* steal.c */
static inline bool ranks_are_idle (const Pool *p) { return p->idle == p->workers; }
bool ranks_are_quiet (const Ranks *r); /* nothing happens here before a message comes */
void ranks_deal_tasks (Ranks *r);
bool ranks_answer_requests (Ranks *r);
bool ranks_request_work (Ranks *r);
void ranks_take_task (Ranks *r, ByteReader *in);
void ranks_take_nothing (Ranks *r);

/* termination.c: things to do, whether there was anything; and what comes of messages. */
bool ranks_tell_found (Ranks *r);
void ranks_take_found (Ranks *r, ByteReader *in);
bool ranks_tell_ending (Ranks *r);
void ranks_take_ending (Ranks *r, ByteReader *in);
bool ranks_send_progress (Ranks *r);
void ranks_take_progress (Ranks *r, ByteReader *in);
bool ranks_send_count (Ranks *r);
void ranks_take_count (Ranks *r, ByteReader *in);
bool ranks_look_for_the_end (Ranks *r);
void ranks_begin_generation (Ranks *r);
bool ranks_end_generation (Ranks *r);
bool ranks_watch_clock (Ranks *r);

/* ranks.c */
void ranks_start (Explorer *x);
void ranks_finish (Explorer *x);
void ranks_dawdle (Pool *p);
void ranks_serve (const Program *program, const ExploreOptions *options, const Hooks *hooks);

#endif
