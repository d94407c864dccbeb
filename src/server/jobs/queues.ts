import { carries, type Queues } from './queue.ts'

/** Every queue of the server. An errand with work to do later adds its line here, and its worker where the server starts. */
export const queues = {
  /** What customers see of an uploaded picture. */
  'make-variants': carries<{ studioId: number; imageId: number }>({ limit: 5 * 60 }),
} as const satisfies Queues
