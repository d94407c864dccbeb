import { carries } from '#server/queue/queue.ts'

export const testQueues = {
  greet: carries<{ name: string }>({ retries: 2, backOff: 0 }),
  count: carries<{ n: number }>(),
  pack: carries<{ n: number }>({ retries: 1, backOff: 0, together: 3 }),
}
