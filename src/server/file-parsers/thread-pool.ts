import { Piscina } from 'piscina'
import { ignoring } from '#domain/shared/ignoring.ts'
import { KeyedSemaphore } from '../access/brute-force/keyed-semaphore.ts'
import type { Log } from '../database/database.ts'

/** Why a thread gave no result: its task took too long, needed too much memory, or could not start because the pool was busy. */
export type TaskFailure = 'too-slow' | 'too-large' | 'busy'

type Limits = {
  /** The limit on V8's heap in the thread. Decoded pixels are outside of it. */
  readonly heapMegabytes: number
  /**
   * The limit on a task's processor time, which unlike its wall-clock time does not depend on the load of the machine.
   */
  readonly processorMs: number
  /** The limit on a task's wall-clock time from its start in the thread. */
  readonly taskMs: number
  /** The limit on a task's wait for the thread. */
  readonly queueMs: number
  /** The limit on tasks of one studio that wait for the thread. */
  readonly maxWaiting: number
}

/** How long an idle thread waits for another file, such as the next one of a form, before it ends and releases its memory. */
const idleMs = 5_000
const checkMs = 250
/** The limit on an idle thread's memory. A new thread uses less than half of it. */
const maxIdleBytes = 40 * 1024 * 1024

const toTaskFailure = (error: unknown): TaskFailure | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return 'too-slow'
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-large' : undefined
}

/** Reads the processor time that the pool's thread has used; undefined while the thread starts or ends. */
const readProcessorMs = async ({ threads: [thread] }: Piscina): Promise<number | undefined> => {
  const usage = await ignoring('the thread is ending', async () => thread?.cpuUsage())
  return usage && (usage.user + usage.system) / 1000
}

/**
 * Aborts a task and its thread past the limits on processor or wall-clock time. Returns a function that ends the
 * checks.
 */
const abortPastLimits = (pool: Piscina, limits: Limits, abortController: AbortController): (() => void) => {
  let initialMs: number | undefined
  const checkProcessorTime = async (): Promise<void> => {
    const milliseconds = await readProcessorMs(pool)
    if (milliseconds === undefined) return
    initialMs ??= milliseconds
    if (milliseconds - initialMs > limits.processorMs) abortController.abort()
  }
  const checkInterval = setInterval(() => void checkProcessorTime(), checkMs)
  const timer = setTimeout(() => abortController.abort(), limits.taskMs)
  return () => {
    clearInterval(checkInterval)
    clearTimeout(timer)
  }
}

/**
 * Ends a thread whose last task left much memory in use, because V8 releases it late and the next file would add to it.
 */
const endIfLarge = async ({ threads: [thread] }: Piscina): Promise<void> => {
  const memory = await ignoring('the thread has ended', async () => thread?.getHeapStatistics())
  if (memory && memory.total_heap_size + memory.external_memory > maxIdleBytes) await thread?.terminate()
}

/** The argument of a function. The buffers in `transfer` are moved to the thread instead of being copied. */
type Task = { readonly input: unknown; readonly transfer?: ArrayBuffer[] }

/** Runs functions of one module in a thread. A task past a limit ends the thread, and the next task gets a new one. */
export type ThreadPool = {
  /** Studios take turns. The task is created when its turn comes, so that waiting requests hold no memory. */
  readonly run: <Result>(name: string, studioId: number, makeTask: () => Task) => Promise<Result | TaskFailure>
  readonly stop: () => Promise<void>
}

/** Creates a pool of one thread for the functions that `file` exports. Errors of the functions are thrown. */
export const threadPool = (file: URL, log: Log, limits: Limits): ThreadPool => {
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    // Requests have priority over files.
    niceIncrement: 5,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 16 },
  })
  pool.on('error', (problem) => log.error({ err: problem }, 'a thread that parses files ended with an error'))
  const semaphore = new KeyedSemaphore()
  const acquireSlot = (studioId: number) =>
    semaphore.take('thread', {
      pace: { atOnce: 1 },
      group: String(studioId),
      first: 'oldest',
      maxWaiting: limits.maxWaiting,
      maxWaitMs: limits.queueMs,
    })
  const run = async <Result>(name: string, studioId: number, makeTask: () => Task): Promise<Result | TaskFailure> => {
    const release = await acquireSlot(studioId)
    if (!release) return 'busy'
    const abortController = new AbortController()
    const { input, transfer = [] } = makeTask()
    const result = pool.run(input, { name, signal: abortController.signal, transferList: transfer })
    const stopWatching = abortPastLimits(pool, limits, abortController)
    try {
      return await result
    } catch (error) {
      const reason = toTaskFailure(error)
      if (reason === undefined) throw error
      log.warn({ task: name, reason }, 'the parsing of a file was aborted')
      return reason
    } finally {
      stopWatching()
      // The response does not wait for this.
      void endIfLarge(pool).finally(release)
    }
  }
  return { run, stop: () => pool.destroy() }
}
