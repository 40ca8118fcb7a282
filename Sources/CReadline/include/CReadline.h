#ifndef FMSG_CREADLINE_H
#define FMSG_CREADLINE_H
#endif
