import { Piscina } from 'piscina'
import type { Log } from '../database/database.ts'

/** Why a thread did not answer: its task took too long, needed too much memory, or waited too long for its turn. */
export type NoAnswer = 'too-slow' | 'too-large' | 'busy'

type Limits = {
  /** Tasks at a time; each has a thread of its own. */
  readonly threads: number
  /** The most that V8 may hold in a thread. Decoded pixels are outside of it. */
  readonly heapMegabytes: number
  /** The most that a task may take once it has its thread. */
  readonly taskMilliseconds: number
  /** The most that a task may wait for a thread. */
  readonly queueMilliseconds: number
}

/** Long enough for the next file of the same form; then a thread's memory is given back. */
const idleMilliseconds = 5_000

const reasonOf = (error: unknown): NoAnswer | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return 'too-slow'
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-large' : undefined
}

type Waiting = { readonly start: () => void }

/** Gives out turns in order; a turn that was not given in time is `undefined`. */
const turnsFor = ({ threads, queueMilliseconds }: Limits) => {
  const waiting = new Set<Waiting>()
  let taken = 0
  const giveBack = (): void => {
    const [next] = waiting
    if (!next) taken -= 1
    else next.start()
  }
  const take = (): Promise<'taken' | 'busy'> => {
    if (taken < threads) {
      taken += 1
      return Promise.resolve('taken')
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.delete(self)
        resolve('busy')
      }, queueMilliseconds)
      const self: Waiting = {
        start: () => {
          clearTimeout(timer)
          waiting.delete(self)
          resolve('taken')
        },
      }
      waiting.add(self)
    })
  }
  return { take, giveBack }
}

/** Runs functions of one file in threads. A task past its time or memory ends its thread, and the next task gets a new one. */
export type ThreadPool = {
  readonly run: <Answer>(name: string, input: unknown) => Promise<Answer | NoAnswer>
  readonly stop: () => Promise<void>
}

/** Threads for the functions that `file` exports, started when there is something to do. Errors of the functions are thrown. */
export const threadPool = (file: URL, log: Log, limits: Limits): ThreadPool => {
  const pool = new Piscina({
    filename: file.href,
    minThreads: 0,
    maxThreads: limits.threads,
    idleTimeout: idleMilliseconds,
    // Whoever waits for a request goes before whoever waits for a file.
    niceIncrement: 5,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 16 },
  })
  pool.on('error', (problem) => log.error({ err: problem }, 'a thread that reads files died'))
  const turns = turnsFor(limits)
  const run = async <Answer>(name: string, input: unknown): Promise<Answer | NoAnswer> => {
    if ((await turns.take()) === 'busy') return 'busy'
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(), limits.taskMilliseconds)
    try {
      return await pool.run(input, { name, signal: ended.signal })
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === undefined) throw error
      log.warn({ task: name, reason }, 'a file was given up')
      return reason
    } finally {
      clearTimeout(timer)
      turns.giveBack()
    }
  }
  return { run, stop: () => pool.destroy() }
}
