#ifndef FMSG_CCURL_H
#define FMSG_CCURL_H

#endif
