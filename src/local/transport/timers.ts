/** Calls `work` once after so many milliseconds, unless the returned function is called before. */
export type Timers = { after(milliseconds: number, work: () => void): () => void }

export const deviceTimers: Timers = {
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => clearTimeout(timer)
  },
}
