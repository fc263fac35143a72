#ifndef PROBITY_MOBILE
#define PROBITY_MOBILE
/* The location of the agent moves into a location beside it. */
void go_in(const char *location);
/* The location of the agent moves out of the location around it. */
void go_out(const char *location);
/* Not zero if the agent's code does not come from the site where it is. */
int remote(void);
/* Opens a connection to a location; zero if there is none. */
int connect_to_location(const char *location);
#endif
