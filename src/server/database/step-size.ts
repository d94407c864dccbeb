/** How many rows the first step of bulk work processes, until the duration of a step is known. */
export const firstStepRows = 50

/** Minimum and maximum number of rows per step. A step is atomic. */
const minRows = 50
const maxRows = 200

/** Target duration of a step, because a step blocks other requests. A slow machine exceeds it with the minimum number of rows. */
const stepMs = 50

/**
 * How many rows the next step processes, from the rows and the duration of the last step. The embedded database runs one transaction at a
 * time, and a step is slow while the statistics of its tables are outdated or the machine is busy.
 */
export const nextStepSize = (rows: number, durationMs: number): number => {
  const rowsInTime = Math.floor((rows * stepMs) / Math.max(1, durationMs))
  return Math.max(minRows, Math.min(maxRows, rowsInTime, rows * 2))
}
