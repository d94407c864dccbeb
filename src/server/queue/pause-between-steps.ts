/** The embedded database works on this thread: between two steps of something long everybody else has a turn. */
export const pauseMilliseconds = 10
