/* Of a library whose source is not there. */
typedef void loop_callback(void *context, unsigned value);
void loop_set(loop_callback *data, loop_callback *idle, void *context);
void loop_push(unsigned value);
void loop_run(void);
