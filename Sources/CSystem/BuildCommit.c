#include "CSystem.h"

#ifndef FMSG_COMMIT
#define FMSG_COMMIT ""
#endif

const char *csystem_build_commit(void) { return FMSG_COMMIT; }
