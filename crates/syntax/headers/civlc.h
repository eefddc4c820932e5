/* civlc.h: CIVL-C of 2014: one header for all */
#ifndef _QUOD_CIVLC_H
#define _QUOD_CIVLC_H
#include <civlc.cvh>
#include <bundle.cvh>
#include <comm.cvh>
#include <concurrency.cvh>
#include <domain.cvh>
#include <pointer.cvh>
#include <seq.cvh>
#endif
