/** Polling interval of a job's progress in milliseconds: others upload, order and check in at the same time. */
export const overviewRefetchMs = 10_000
