import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Requests a server's health every fifty milliseconds until stopped, and then reports the duration of each response. */
const poll = async (url: string): Promise<void> => {
  const waits: number[] = []
  let isStopped = false
  parentPort?.once('message', () => {
    isStopped = true
  })
  const asked: Promise<void>[] = []
  while (!isStopped) {
    const start = performance.now()
    asked.push(
      fetch(`${url}/api/health`).then(async (answer) => {
        await answer.arrayBuffer()
        waits.push(answer.ok ? performance.now() - start : Number.POSITIVE_INFINITY)
      }),
    )
    await pause(50)
  }
  await Promise.all(asked)
  parentPort?.postMessage(waits)
}

await poll(String(workerData))
