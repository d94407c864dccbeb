import { defineQueue } from '#server/queue/queue.ts'

export const testQueues = {
  greet: defineQueue<{ name: string }>({ retries: 2, retryDelaySeconds: 0 }),
  count: defineQueue<{ n: number }>(),
  pack: defineQueue<{ n: number }>({ retries: 1, retryDelaySeconds: 0, batchSize: 3 }),
}
