/** Milliseconds between two looks at how far a job is: others upload, order and check in meanwhile. */
export const overviewRefetchMs = 10_000
