/* op.h: CIVL-C: operations of reductions */
#ifndef _QUOD_OP_H
#define _QUOD_OP_H
typedef enum Operation {
  _NO_OP, _MAX, _MIN, _SUM, _PROD, _LAND, _BAND, _LOR, _BOR, _LXOR, _BXOR, _MINLOC, _MAXLOC, _REPLACE, _EQ, _NEQ
} Operation;
typedef enum Operation $operation;
#endif
