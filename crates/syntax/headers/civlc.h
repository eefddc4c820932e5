/* civlc.h: CIVL-C, the name of 2014 */
#ifndef _QUOD_CIVLC_H
#define _QUOD_CIVLC_H
#include <civlc.cvh>
#include <bundle.cvh>
#include <comm.cvh>
#include <concurrency.cvh>
#endif
