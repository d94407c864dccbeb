import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Requests a server's health every fifty milliseconds until stopped, and then reports the duration of each response.
 */
const poll = async (url: string): Promise<void> => {
  const durations: number[] = []
  let isStopped = false
  parentPort?.once('message', () => {
    isStopped = true
  })
  const requests: Promise<void>[] = []
  while (!isStopped) {
    const start = performance.now()
    requests.push(
      fetch(`${url}/api/health`).then(async (answer) => {
        await answer.arrayBuffer()
        durations.push(answer.ok ? performance.now() - start : Number.POSITIVE_INFINITY)
      }),
    )
    await pause(50)
  }
  await Promise.all(requests)
  parentPort?.postMessage(durations)
}

await poll(String(workerData))
