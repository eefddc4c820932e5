/* sys/queue.h: lists of BSD */
#ifndef _QUOD_SYS_QUEUE_H
#define _QUOD_SYS_QUEUE_H
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(element, field) ((element)->field.sle_next)
#define SLIST_EMPTY(head) ((head)->slh_first == 0)
#define SLIST_INIT(head) ((head)->slh_first = 0)
#define SLIST_FOREACH(variable, head, field) for ((variable) = (head)->slh_first; (variable); (variable) = (variable)->field.sle_next)
#define SLIST_INSERT_HEAD(head, element, field) do { (element)->field.sle_next = (head)->slh_first; (head)->slh_first = (element); } while (0)
#define SLIST_REMOVE_HEAD(head, field) ((head)->slh_first = (head)->slh_first->field.sle_next)
#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(element, field) ((element)->field.le_next)
#define LIST_EMPTY(head) ((head)->lh_first == 0)
#define LIST_INIT(head) ((head)->lh_first = 0)
#define LIST_FOREACH(variable, head, field) for ((variable) = (head)->lh_first; (variable); (variable) = (variable)->field.le_next)
#define LIST_INSERT_HEAD(head, element, field) \
  do { \
    if (((element)->field.le_next = (head)->lh_first) != 0) (head)->lh_first->field.le_prev = &(element)->field.le_next; \
    (head)->lh_first = (element); \
    (element)->field.le_prev = &(head)->lh_first; \
  } while (0)
#define LIST_REMOVE(element, field) \
  do { \
    if ((element)->field.le_next != 0) (element)->field.le_next->field.le_prev = (element)->field.le_prev; \
    *(element)->field.le_prev = (element)->field.le_next; \
  } while (0)
#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(element, field) ((element)->field.tqe_next)
#define TAILQ_EMPTY(head) ((head)->tqh_first == 0)
#define TAILQ_INIT(head) do { (head)->tqh_first = 0; (head)->tqh_last = &(head)->tqh_first; } while (0)
#define TAILQ_FOREACH(variable, head, field) for ((variable) = (head)->tqh_first; (variable); (variable) = (variable)->field.tqe_next)
#define TAILQ_INSERT_TAIL(head, element, field) \
  do { \
    (element)->field.tqe_next = 0; \
    (element)->field.tqe_prev = (head)->tqh_last; \
    *(head)->tqh_last = (element); \
    (head)->tqh_last = &(element)->field.tqe_next; \
  } while (0)
#define TAILQ_INSERT_HEAD(head, element, field) \
  do { \
    if (((element)->field.tqe_next = (head)->tqh_first) != 0) (head)->tqh_first->field.tqe_prev = &(element)->field.tqe_next; \
    else (head)->tqh_last = &(element)->field.tqe_next; \
    (head)->tqh_first = (element); \
    (element)->field.tqe_prev = &(head)->tqh_first; \
  } while (0)
#define TAILQ_REMOVE(head, element, field) \
  do { \
    if ((element)->field.tqe_next != 0) (element)->field.tqe_next->field.tqe_prev = (element)->field.tqe_prev; \
    else (head)->tqh_last = (element)->field.tqe_prev; \
    *(element)->field.tqe_prev = (element)->field.tqe_next; \
  } while (0)
#endif
