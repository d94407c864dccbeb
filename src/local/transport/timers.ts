/** Calls `work` once after the given milliseconds, unless the returned function is called first. */
export type Timers = { after(milliseconds: number, work: () => void): () => void }

export const deviceTimers: Timers = {
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
}
