import type { Log } from '../database/database.ts'
import type { CodesRequest, FoundList, ListRequest, PlannedList, PlanRequest, Unread } from '../imports/find-list.ts'
import type { Inspection } from '../pictures/inspect.ts'
import type { LogoResult } from '../pictures/logo.ts'
import { busy, tooSlow } from '../pictures/refusal.ts'
import { type NoAnswer, threadPool } from './thread-pool.ts'

/** Everything that parses a file from outside. */
export type ForeignFiles = {
  readonly findList: (request: ListRequest) => Promise<FoundList | Unread>
  readonly readCodes: (request: CodesRequest) => Promise<{ codes: readonly string[] } | Unread>
  readonly planList: (request: PlanRequest) => Promise<PlannedList | Unread>
  readonly inspect: (bytes: Uint8Array) => Promise<Inspection>
  readonly makeLogo: (bytes: Uint8Array) => Promise<LogoResult>
}

/** `ForeignFiles` in threads, and their end. What is being read when they are stopped fails. */
type FileThreads = ForeignFiles & { readonly stop: () => Promise<void> }

const file = new URL('./file-thread.ts', import.meta.url)
type Exported = keyof typeof import('./file-thread.ts')

const listLimits = { threads: 1, heapMegabytes: 128, taskMilliseconds: 12_000, queueMilliseconds: 2_500 }
/** Pixels are decoded outside of V8, a few rows at a time. */
const pictureLimits = { threads: 1, heapMegabytes: 64, taskMilliseconds: 12_000, queueMilliseconds: 2_500 }

const listSentences: Readonly<Record<Exclude<NoAnswer, 'busy'>, string>> = {
  'too-slow': 'This file takes too long to read. Save only the sheet with the list, as .xlsx or CSV, and send that',
  'too-large': 'This file unpacks to more than we can take. Send only the sheet with the list',
}
const busySentence = 'Other lists are being read at the moment. Please send this one again in a minute'

const unread = (reason: NoAnswer): Unread =>
  reason === 'busy' ? { busy: busySentence } : { refused: listSentences[reason] }

const isNoAnswer = (answer: unknown): answer is NoAnswer => typeof answer === 'string'

/**
 * Reads files from outside in threads with a memory limit and a deadline, lists and pictures apart: a hostile file costs its sender one
 * refusal, and nobody else a wait.
 */
export const fileThreads = (log: Log): FileThreads => {
  const lists = threadPool(file, log, listLimits)
  const pictures = threadPool(file, log, pictureLimits)
  const readWith = async <Answer>(name: Exported, request: ListRequest): Promise<Answer | Unread> => {
    const answer = await lists.run<Answer>(name, request)
    return isNoAnswer(answer) ? unread(answer) : answer
  }
  const lookWith = async <Answer>(name: Exported, bytes: Uint8Array) => {
    const answer = await pictures.run<Answer>(name, bytes)
    if (!isNoAnswer(answer)) return answer
    return { ok: false, refusal: answer === 'busy' ? busy : tooSlow } as const
  }
  return {
    findList: (request) => readWith('findListHere', request),
    readCodes: (request) => readWith('readCodesHere', request),
    planList: (request) => readWith('planListHere', request),
    inspect: (bytes) => lookWith<Inspection>('inspectHere', bytes),
    makeLogo: (bytes) => lookWith<LogoResult>('makeLogoHere', bytes),
    stop: async () => {
      await Promise.all([lists.stop(), pictures.stop()])
    },
  }
}
