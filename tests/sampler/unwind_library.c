/* A library that comes and goes (unwind_scenes.c). */
volatile int call_backs;

void call_back(void (*what)(void));
void call_back(void (*what)(void))
{
    what();
    call_backs++;
}
