import { Piscina } from 'piscina'
import { ignoring } from '#server/ignoring.ts'
import { KeyedSemaphore } from '../access/brute-force/keyed-semaphore.ts'
import type { Log } from '../database/database.ts'

/** Why a thread gave no result: its task took too long, needed too much memory, or could not start because the pool was busy. */
export type TaskFailure = 'too-slow' | 'too-large' | 'busy'

type Limits = {
  /** The limit on V8's heap in the thread. Decoded pixels are outside of it. */
  readonly heapMegabytes: number
  /** The limit on a task's processor time: on a busy machine a valid file takes longer, but no more of this. */
  readonly processorMilliseconds: number
  /** The limit on a task's wall-clock time once it has the thread. */
  readonly taskMilliseconds: number
  /** The limit on a task's wait for the thread. */
  readonly queueMilliseconds: number
  /** How many tasks of one studio may wait for the thread. */
  readonly maxWaiting: number
}

/** Long enough for the next file of the same form; then the thread's memory is released. */
const idleMilliseconds = 5_000
const lookMilliseconds = 250
/** A new thread has less than half of it. */
const mostIdleBytes = 40 * 1024 * 1024

const reasonOf = (error: unknown): TaskFailure | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return 'too-slow'
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-large' : undefined
}

/** The processor time that the pool's thread has used so far; undefined while it starts or ends. */
const processorMillisecondsOf = async ({ threads: [thread] }: Piscina): Promise<number | undefined> => {
  const used = await ignoring('the thread is ending', async () => thread?.cpuUsage())
  return used && (used.user + used.system) / 1000
}

/** Aborts a task, and with it its thread, past its processor time or its wall-clock time. Returns the function that stops watching. */
const watch = (pool: Piscina, limits: Limits, ended: AbortController): (() => void) => {
  let before: number | undefined
  const look = async (): Promise<void> => {
    const used = await processorMillisecondsOf(pool)
    if (used === undefined) return
    before ??= used
    if (used - before > limits.processorMilliseconds) ended.abort()
  }
  const looks = setInterval(() => void look(), lookMilliseconds)
  const timer = setTimeout(() => ended.abort(), limits.taskMilliseconds)
  return () => {
    clearInterval(looks)
    clearTimeout(timer)
  }
}

/** Ends a thread that a task left large: V8 releases memory late, and the next file's memory would be added to it. */
const endIfLarge = async ({ threads: [thread] }: Piscina): Promise<void> => {
  const memory = await ignoring('the thread has ended', async () => thread?.getHeapStatistics())
  if (memory && memory.total_heap_size + memory.external_memory > mostIdleBytes) await thread?.terminate()
}

/** A function's argument; what is in `transfer` moves to the thread instead of being copied. */
type Task = { readonly input: unknown; readonly transfer?: ArrayBuffer[] }

/** Runs functions of one file in a thread. A task past its time or memory limit ends its thread, and the next task gets a new one. */
export type ThreadPool = {
  /** Studios take turns. The task is created when its turn comes, so that waiting requests hold no memory. */
  readonly run: <Answer>(name: string, studioId: number, makeTask: () => Task) => Promise<Answer | TaskFailure>
  readonly stop: () => Promise<void>
}

/** A thread for the functions that `file` exports, one task at a time, started when needed. Errors of the functions are thrown. */
export const threadPool = (file: URL, log: Log, limits: Limits): ThreadPool => {
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMilliseconds,
    // Requests have priority over files.
    niceIncrement: 5,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 16 },
  })
  pool.on('error', (problem) => log.error({ err: problem }, 'a thread that reads files died'))
  const lines = new KeyedSemaphore()
  const takeTurn = (studioId: number) =>
    lines.take('thread', {
      pace: { atOnce: 1 },
      group: String(studioId),
      first: 'oldest',
      maxWaiting: limits.maxWaiting,
      maxWaitMilliseconds: limits.queueMilliseconds,
    })
  const run = async <Answer>(name: string, studioId: number, makeTask: () => Task): Promise<Answer | TaskFailure> => {
    const leave = await takeTurn(studioId)
    if (!leave) return 'busy'
    const ended = new AbortController()
    const { input, transfer = [] } = makeTask()
    const answer = pool.run(input, { name, signal: ended.signal, transferList: transfer })
    const stopWatch = watch(pool, limits, ended)
    try {
      return await answer
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === undefined) throw error
      log.warn({ task: name, reason }, 'a file was given up')
      return reason
    } finally {
      stopWatch()
      // The response does not wait for this.
      void endIfLarge(pool).finally(leave)
    }
  }
  return { run, stop: () => pool.destroy() }
}
