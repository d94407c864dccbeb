import { Piscina } from 'piscina'
import { ignoring } from '#domain/shared/ignoring.ts'
import { KeyedSemaphore } from '../access/brute-force/keyed-semaphore.ts'
import type { Log } from '../database/database.ts'

/** Why a thread did not answer: its task took too long, needed too much memory, or there was no turn for it. */
export type TaskFailure = 'too-slow' | 'too-large' | 'busy'

type Limits = {
  /** The most that V8 may hold in the thread. Decoded pixels are outside of it. */
  readonly heapMegabytes: number
  /** The most processor time that a task may take: on a busy machine an honest file takes longer, and no more of this. */
  readonly processorMilliseconds: number
  /** The most that a task may take by the clock once it has the thread. */
  readonly taskMilliseconds: number
  /** The most that a task may wait for the thread. */
  readonly queueMilliseconds: number
  /** How many tasks of one studio may wait for the thread. */
  readonly mostWaiting: number
}

/** Long enough for the next file of the same form; then a thread's memory is given back. */
const idleMilliseconds = 5_000
const lookMilliseconds = 250
/** A fresh thread has less than half of it. */
const mostIdleBytes = 40 * 1024 * 1024

const reasonOf = (error: unknown): TaskFailure | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return 'too-slow'
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-large' : undefined
}

/** The processor time that the pool's thread has taken so far; undefined while it starts or ends. */
const processorMillisecondsOf = async ({ threads: [thread] }: Piscina): Promise<number | undefined> => {
  const used = await ignoring('the thread is ending', async () => thread?.cpuUsage())
  return used && (used.user + used.system) / 1000
}

/** Ends a task, and with it its thread, past its processor time or its time by the clock. Gives what stops the watch. */
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

/** Ends a thread that a task left large: V8 gives memory back late, and what the next file needs would come on top. */
const endIfLarge = async ({ threads: [thread] }: Piscina): Promise<void> => {
  const memory = await ignoring('the thread has ended', async () => thread?.getHeapStatistics())
  if (memory && memory.total_heap_size + memory.external_memory > mostIdleBytes) await thread?.terminate()
}

/** What a function is called with; what is in `transfer` moves to the thread instead of being copied. */
type Task = { readonly input: unknown; readonly transfer?: ArrayBuffer[] }

/** Runs functions of one file in a thread. A task past its time or memory ends its thread, and the next task gets a new one. */
export type ThreadPool = {
  /** Studios take turns. The task is made when its turn has come, so that waiting requests hold no memory. */
  readonly run: <Answer>(name: string, studioId: number, makeTask: () => Task) => Promise<Answer | TaskFailure>
  readonly stop: () => Promise<void>
}

/**
 * A thread for the functions that `file` exports, one task at a time, started when there is something to do. Errors of the functions are
 * thrown.
 */
export const threadPool = (file: URL, log: Log, limits: Limits): ThreadPool => {
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMilliseconds,
    // Whoever waits for a request goes before whoever waits for a file.
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
      mostWaiting: limits.mostWaiting,
      mostMilliseconds: limits.queueMilliseconds,
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
      // Nobody waits for this with the answer.
      void endIfLarge(pool).finally(leave)
    }
  }
  return { run, stop: () => pool.destroy() }
}
