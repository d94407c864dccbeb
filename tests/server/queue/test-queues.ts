import { defineQueue } from '#server/queue/queue.ts'
import { queues } from '#server/queue/queues.ts'

export const testQueues = {
  greet: defineQueue<{ name: string }>({ retries: 2, retryDelaySeconds: 0 }),
  count: defineQueue<{ n: number }>(),
  pack: defineQueue<{ n: number }>({ retries: 1, retryDelaySeconds: 0, batchSize: 3 }),
}

/** One queue of the server, which works on galleries: it would take a multiple of the time to create all of them. */
export const galleryQueues = { 'make-variants': queues['make-variants'] } as typeof queues
