#ifndef FMSG_CSYSTEM_H
#define FMSG_CSYSTEM_H

#endif
