/** The embedded database runs on this thread: a pause between the steps of long work lets others run. */
export const pauseMilliseconds = 10
