import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { closeConnections, keepAliveGet } from './keep-alive-client.ts'

/** URLs to read, and how many to read at a time. */
type ReadPlan = {
  readonly urls: readonly string[]
  readonly headers: Record<string, string>
  readonly concurrency: number
}

const readAll = async ({ urls, headers, concurrency }: ReadPlan): Promise<number[]> => {
  const times: number[] = []
  const remaining = urls.values()
  const readRemaining = async (): Promise<void> => {
    for (const url of remaining) {
      const start = performance.now()
      await keepAliveGet(url, headers)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readRemaining))
  return times
}

/** Times of the reads in milliseconds, measured in a separate thread, because in production clients do not share the server's thread. */
export const measureReads = async (plan: ReadPlan): Promise<number[]> => {
  const reader = new Worker(new URL(import.meta.url), { workerData: plan })
  const [times] = await once(reader, 'message') // rejects with the error of the thread
  return times
}

if (!isMainThread) {
  parentPort?.postMessage(await readAll(workerData as ReadPlan)) // posted by `measureReads`
  closeConnections()
}
