/* mpi.h: message passing (MPI-3) */
#ifndef _QUOD_MPI_H
#define _QUOD_MPI_H
#include <stddef.h>
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Group;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Win;
typedef int MPI_Fint;
typedef struct __quod_mpi_file *MPI_File;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef struct MPI_Status {
  int count_lo, count_hi_and_cancelled;
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;
typedef void(MPI_User_function)(void *, void *, int *, MPI_Datatype *);
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_ROOT 7
#define MPI_ERR_GROUP 8
#define MPI_ERR_OP 9
#define MPI_ERR_ARG 12
#define MPI_ERR_TRUNCATE 14
#define MPI_ERR_OTHER 15
#define MPI_ERR_IN_STATUS 17
#define MPI_COMM_NULL ((MPI_Comm) 0x04000000)
#define MPI_COMM_WORLD ((MPI_Comm) 0x44000000)
#define MPI_COMM_SELF ((MPI_Comm) 0x44000001)
#define MPI_GROUP_NULL ((MPI_Group) 0x08000000)
#define MPI_GROUP_EMPTY ((MPI_Group) 0x48000000)
#define MPI_REQUEST_NULL ((MPI_Request) 0x2c000000)
#define MPI_DATATYPE_NULL ((MPI_Datatype) 0x0c000000)
#define MPI_OP_NULL ((MPI_Op) 0x18000000)
#define MPI_INFO_NULL ((MPI_Info) 0x1c000000)
#define MPI_WIN_NULL ((MPI_Win) 0x20000000)
#define MPI_FILE_NULL ((MPI_File) 0)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler) 0x14000000)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler) 0x54000000)
#define MPI_ERRORS_RETURN ((MPI_Errhandler) 0x54000001)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-1)
#define MPI_ROOT (-3)
#define MPI_UNDEFINED (-32766)
#define MPI_BOTTOM ((void *) 0)
#define MPI_IN_PLACE ((void *) -1)
#define MPI_STATUS_IGNORE ((MPI_Status *) 1)
#define MPI_STATUSES_IGNORE ((MPI_Status *) 1)
#define MPI_TAG_UB 0x64400001
#define MPI_WTIME_IS_GLOBAL 0x64400007
#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_MAX_ERROR_STRING 512
#define MPI_BSEND_OVERHEAD 96
#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3
#define MPI_COMM_TYPE_SHARED 1
#define MPI_ORDER_C 56
#define MPI_ORDER_FORTRAN 57
#define MPI_MODE_RDONLY 2
#define MPI_MODE_RDWR 8
#define MPI_MODE_WRONLY 4
#define MPI_MODE_CREATE 1
#define MPI_SEEK_SET 600
#define MPI_LOCK_EXCLUSIVE 234
#define MPI_LOCK_SHARED 235
#define MPI_CHAR ((MPI_Datatype) 1275068672)
#define MPI_SIGNED_CHAR ((MPI_Datatype) 1275068673)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype) 1275068674)
#define MPI_BYTE ((MPI_Datatype) 1275068675)
#define MPI_WCHAR ((MPI_Datatype) 1275068676)
#define MPI_SHORT ((MPI_Datatype) 1275068677)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype) 1275068678)
#define MPI_INT ((MPI_Datatype) 1275068679)
#define MPI_UNSIGNED ((MPI_Datatype) 1275068680)
#define MPI_LONG ((MPI_Datatype) 1275068681)
#define MPI_UNSIGNED_LONG ((MPI_Datatype) 1275068682)
#define MPI_FLOAT ((MPI_Datatype) 1275068683)
#define MPI_DOUBLE ((MPI_Datatype) 1275068684)
#define MPI_LONG_DOUBLE ((MPI_Datatype) 1275068685)
#define MPI_LONG_LONG_INT ((MPI_Datatype) 1275068686)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype) 1275068687)
#define MPI_PACKED ((MPI_Datatype) 1275068688)
#define MPI_LB ((MPI_Datatype) 1275068689)
#define MPI_UB ((MPI_Datatype) 1275068690)
#define MPI_FLOAT_INT ((MPI_Datatype) 1275068691)
#define MPI_DOUBLE_INT ((MPI_Datatype) 1275068692)
#define MPI_LONG_INT ((MPI_Datatype) 1275068693)
#define MPI_SHORT_INT ((MPI_Datatype) 1275068694)
#define MPI_2INT ((MPI_Datatype) 1275068695)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype) 1275068696)
#define MPI_INT8_T ((MPI_Datatype) 1275068697)
#define MPI_INT16_T ((MPI_Datatype) 1275068698)
#define MPI_INT32_T ((MPI_Datatype) 1275068699)
#define MPI_INT64_T ((MPI_Datatype) 1275068700)
#define MPI_UINT8_T ((MPI_Datatype) 1275068701)
#define MPI_UINT16_T ((MPI_Datatype) 1275068702)
#define MPI_UINT32_T ((MPI_Datatype) 1275068703)
#define MPI_UINT64_T ((MPI_Datatype) 1275068704)
#define MPI_C_BOOL ((MPI_Datatype) 1275068705)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype) 1275068706)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype) 1275068707)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype) 1275068708)
#define MPI_AINT ((MPI_Datatype) 1275068709)
#define MPI_OFFSET ((MPI_Datatype) 1275068710)
#define MPI_COUNT ((MPI_Datatype) 1275068711)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_INTEGER MPI_INT
#define MPI_REAL MPI_FLOAT
#define MPI_DOUBLE_PRECISION MPI_DOUBLE
#define MPI_MAX ((MPI_Op) 1476395009)
#define MPI_MIN ((MPI_Op) 1476395010)
#define MPI_SUM ((MPI_Op) 1476395011)
#define MPI_PROD ((MPI_Op) 1476395012)
#define MPI_LAND ((MPI_Op) 1476395013)
#define MPI_BAND ((MPI_Op) 1476395014)
#define MPI_LOR ((MPI_Op) 1476395015)
#define MPI_BOR ((MPI_Op) 1476395016)
#define MPI_LXOR ((MPI_Op) 1476395017)
#define MPI_BXOR ((MPI_Op) 1476395018)
#define MPI_MINLOC ((MPI_Op) 1476395019)
#define MPI_MAXLOC ((MPI_Op) 1476395020)
#define MPI_REPLACE ((MPI_Op) 1476395021)
#define MPI_NO_OP ((MPI_Op) 1476395022)
extern int MPI_Init(int *, char ***);
extern int MPI_Init_thread(int *, char ***, int, int *);
extern int MPI_Query_thread(int *);
extern int MPI_Is_thread_main(int *);
extern int MPI_Initialized(int *);
extern int MPI_Finalized(int *);
extern int MPI_Finalize(void);
extern int MPI_Abort(MPI_Comm, int);
extern double MPI_Wtime(void);
extern double MPI_Wtick(void);
extern int MPI_Get_processor_name(char *, int *);
extern int MPI_Get_version(int *, int *);
extern int MPI_Pcontrol(const int, ...);
extern int MPI_Comm_rank(MPI_Comm, int *);
extern int MPI_Comm_size(MPI_Comm, int *);
extern int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
extern int MPI_Comm_free(MPI_Comm *);
extern int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
extern int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
extern int MPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm *);
extern int MPI_Comm_group(MPI_Comm, MPI_Group *);
extern int MPI_Comm_compare(MPI_Comm, MPI_Comm, int *);
extern int MPI_Comm_set_name(MPI_Comm, const char *);
extern int MPI_Comm_get_name(MPI_Comm, char *, int *);
extern int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler);
extern int MPI_Errhandler_set(MPI_Comm, MPI_Errhandler);
extern int MPI_Errhandler_free(MPI_Errhandler *);
extern int MPI_Group_size(MPI_Group, int *);
extern int MPI_Group_rank(MPI_Group, int *);
extern int MPI_Group_incl(MPI_Group, int, const int[], MPI_Group *);
extern int MPI_Group_excl(MPI_Group, int, const int[], MPI_Group *);
extern int MPI_Group_free(MPI_Group *);
extern int MPI_Group_translate_ranks(MPI_Group, int, const int[], MPI_Group, int[]);
extern int MPI_Error_string(int, char *, int *);
extern int MPI_Error_class(int, int *);
extern int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
extern int MPI_Bsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
extern int MPI_Ssend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
extern int MPI_Rsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
extern int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
extern int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Ibsend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Issend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Irsend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Send_init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Recv_init(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
extern int MPI_Start(MPI_Request *);
extern int MPI_Startall(int, MPI_Request[]);
extern int MPI_Wait(MPI_Request *, MPI_Status *);
extern int MPI_Waitall(int, MPI_Request[], MPI_Status[]);
extern int MPI_Waitany(int, MPI_Request[], int *, MPI_Status *);
extern int MPI_Waitsome(int, MPI_Request[], int *, int[], MPI_Status[]);
extern int MPI_Test(MPI_Request *, int *, MPI_Status *);
extern int MPI_Testall(int, MPI_Request[], int *, MPI_Status[]);
extern int MPI_Testany(int, MPI_Request[], int *, int *, MPI_Status *);
extern int MPI_Testsome(int, MPI_Request[], int *, int[], MPI_Status[]);
extern int MPI_Request_free(MPI_Request *);
extern int MPI_Cancel(MPI_Request *);
extern int MPI_Test_cancelled(const MPI_Status *, int *);
extern int MPI_Probe(int, int, MPI_Comm, MPI_Status *);
extern int MPI_Iprobe(int, int, MPI_Comm, int *, MPI_Status *);
extern int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);
extern int MPI_Get_elements(const MPI_Status *, MPI_Datatype, int *);
extern int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
extern int MPI_Sendrecv_replace(void *, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status *);
extern int MPI_Buffer_attach(void *, int);
extern int MPI_Buffer_detach(void *, int *);
extern int MPI_Barrier(MPI_Comm);
extern int MPI_Ibarrier(MPI_Comm, MPI_Request *);
extern int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
extern int MPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
extern int MPI_Gather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
extern int MPI_Gatherv(const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype, int, MPI_Comm);
extern int MPI_Scatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
extern int MPI_Scatterv(const void *, const int[], const int[], MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
extern int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
extern int MPI_Allgatherv(const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype, MPI_Comm);
extern int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
extern int MPI_Alltoallv(const void *, const int[], const int[], MPI_Datatype, void *, const int[], const int[], MPI_Datatype, MPI_Comm);
extern int MPI_Alltoallw(const void *, const int[], const int[], const MPI_Datatype[], void *, const int[], const int[], const MPI_Datatype[], MPI_Comm);
extern int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
extern int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
extern int MPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
extern int MPI_Reduce_local(const void *, void *, int, MPI_Datatype, MPI_Op);
extern int MPI_Reduce_scatter(const void *, void *, const int[], MPI_Datatype, MPI_Op, MPI_Comm);
extern int MPI_Reduce_scatter_block(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
extern int MPI_Scan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
extern int MPI_Exscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
extern int MPI_Op_create(MPI_User_function *, int, MPI_Op *);
extern int MPI_Op_free(MPI_Op *);
extern int MPI_Type_size(MPI_Datatype, int *);
extern int MPI_Type_extent(MPI_Datatype, MPI_Aint *);
extern int MPI_Type_get_extent(MPI_Datatype, MPI_Aint *, MPI_Aint *);
extern int MPI_Type_commit(MPI_Datatype *);
extern int MPI_Type_free(MPI_Datatype *);
extern int MPI_Type_contiguous(int, MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_vector(int, int, int, MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_create_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_indexed(int, const int[], const int[], MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_create_indexed_block(int, int, const int[], MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_struct(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
extern int MPI_Type_create_struct(int, const int[], const MPI_Aint[], const MPI_Datatype[], MPI_Datatype *);
extern int MPI_Type_create_subarray(int, const int[], const int[], const int[], int, MPI_Datatype, MPI_Datatype *);
extern int MPI_Type_create_resized(MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype *);
extern int MPI_Type_dup(MPI_Datatype, MPI_Datatype *);
extern int MPI_Address(void *, MPI_Aint *);
extern int MPI_Get_address(const void *, MPI_Aint *);
extern int MPI_Pack(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
extern int MPI_Unpack(const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);
extern int MPI_Pack_size(int, MPI_Datatype, MPI_Comm, int *);
extern int MPI_Dims_create(int, int, int[]);
extern int MPI_Cart_create(MPI_Comm, int, const int[], const int[], int, MPI_Comm *);
extern int MPI_Cart_coords(MPI_Comm, int, int, int[]);
extern int MPI_Cart_rank(MPI_Comm, const int[], int *);
extern int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
extern int MPI_Cart_sub(MPI_Comm, const int[], MPI_Comm *);
extern int MPI_Cart_get(MPI_Comm, int, int[], int[], int[]);
extern int MPI_Cartdim_get(MPI_Comm, int *);
extern int MPI_Attr_get(MPI_Comm, int, void *, int *);
extern int MPI_Attr_put(MPI_Comm, int, void *);
extern int MPI_Info_create(MPI_Info *);
extern int MPI_Info_set(MPI_Info, const char *, const char *);
extern int MPI_Info_free(MPI_Info *);
extern int MPI_Win_create(void *, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win *);
extern int MPI_Win_free(MPI_Win *);
extern int MPI_Win_fence(int, MPI_Win);
extern int MPI_Win_lock(int, int, int, MPI_Win);
extern int MPI_Win_unlock(int, MPI_Win);
extern int MPI_Put(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
extern int MPI_Get(void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win);
extern int MPI_Accumulate(const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win);
extern int MPI_File_open(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
extern int MPI_File_close(MPI_File *);
extern int MPI_File_write(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
extern int MPI_File_read(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
extern int MPI_File_write_at(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
extern int MPI_File_read_at(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
extern int MPI_File_seek(MPI_File, MPI_Offset, int);
extern MPI_Comm MPI_Comm_f2c(MPI_Fint);
extern MPI_Fint MPI_Comm_c2f(MPI_Comm);
#endif
