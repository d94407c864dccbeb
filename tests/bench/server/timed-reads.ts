import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { closeConnections, keepAliveGet } from './keep-alive-client.ts'

/** URLs to read, and how many at a time. */
type ReadPlan = {
  readonly urls: readonly string[]
  readonly headers: Record<string, string>
  readonly atOnce: number
}

const readAll = async ({ urls, headers, atOnce }: ReadPlan): Promise<number[]> => {
  const times: number[] = []
  const left = urls.values()
  const line = async (): Promise<void> => {
    for (const url of left) {
      const start = performance.now()
      await keepAliveGet(url, headers)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, line))
  return times
}

/** Times of the reads in milliseconds, measured in a thread of its own, because in production clients do not share the server's thread. */
export const measureReads = async (reading: ReadPlan): Promise<number[]> => {
  const reader = new Worker(new URL(import.meta.url), { workerData: reading })
  const [times] = await once(reader, 'message') // throws what the thread throws
  return times
}

if (!isMainThread) {
  parentPort?.postMessage(await readAll(workerData as ReadPlan)) // posted by `measureReads`
  closeConnections()
}
