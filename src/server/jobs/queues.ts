import type { Queues } from './queue.ts'

/** Every queue of the server. An errand with work to do later adds its line here, and its worker where the server starts. */
export const queues = {} as const satisfies Queues
