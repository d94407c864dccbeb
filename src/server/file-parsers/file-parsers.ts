import type { Log } from '../database/database.ts'
import type { ImageSource } from '../images/engine/image-engine.ts'
import type { LogoResult } from '../images/engine/make-logo.ts'
import { inspectionBusy, tooSlowToDecode } from '../images/inspection/image-rejection.ts'
import type { Inspection } from '../images/inspection/inspect-image.ts'
import type {
  CodesRequest,
  DetectedList,
  ListRequest,
  PlannedList,
  PlanRequest,
  ReadFailure,
} from '../imports/parsing/find-list.ts'
import { type TaskFailure, threadPool } from './thread-pool.ts'

/**
 * The parsers of untrusted files. A file is given as bytes, or as a path that only the thread opens. Each call names the
 * studio that received the file, because studios take turns.
 */
export type FileParsers = {
  readonly findList: (request: ListRequest, studioId: number) => Promise<DetectedList | ReadFailure>
  readonly readCodes: (request: CodesRequest, studioId: number) => Promise<{ codes: readonly string[] } | ReadFailure>
  readonly planList: (request: PlanRequest, studioId: number) => Promise<PlannedList | ReadFailure>
  readonly inspect: (source: ImageSource, studioId: number) => Promise<Inspection>
  readonly makeLogo: (source: ImageSource, studioId: number) => Promise<LogoResult>
}

/** `FileParsers` that run in threads. `stop` ends the threads, and running calls reject. */
type ParserThreads = FileParsers & { readonly stop: () => Promise<void> }

const listThreadFile = new URL('./list-parser-thread.ts', import.meta.url)
const imageThreadFile = new URL('./image-parser-thread.ts', import.meta.url)
type ListFunction = keyof typeof import('./list-parser-thread.ts')
type ImageFunction = keyof typeof import('./image-parser-thread.ts')

/**
 * A file waits at most this long, and only if fewer than `maxWaiting` files of its studio are waiting; otherwise the
 * call fails as busy. The wait is longer than the processor time allowed for one file.
 */
const queueLimits = { queueMs: 15_000, maxWaiting: 3 }

const listLimits = {
  ...queueLimits,
  heapMegabytes: 128,
  processorMs: 12_000,
  taskMs: 30_000,
}
/** The image library decodes pixels in threads of its own and outside of V8: only the limit on wall-clock time covers that work. */
const imageLimits = {
  ...queueLimits,
  heapMegabytes: 64,
  processorMs: 12_000,
  taskMs: 12_000,
}

const listMessages: Readonly<Record<Exclude<TaskFailure, 'busy'>, string>> = {
  'too-slow': 'This file takes too long to read. Save only the sheet with the list, as .xlsx or CSV, and send that',
  'too-large': 'This file unpacks to more than we can take. Send only the sheet with the list',
}
const busyMessage = 'Other lists are being read at the moment. Please send this one again in a minute'

const toReadFailure = (reason: TaskFailure): ReadFailure =>
  reason === 'busy' ? { busy: busyMessage } : { error: listMessages[reason] }

const isTaskFailure = (result: unknown): result is TaskFailure => typeof result === 'string'

/** Copies a file once and moves the copy to the thread. The caller's bytes remain usable. A path is passed on. */
const toTransferable = (file: ImageSource): { file: ImageSource; transfer: ArrayBuffer[] } => {
  if (typeof file === 'string') return { file, transfer: [] }
  const copy = new Uint8Array(file)
  return { file: copy, transfer: [copy.buffer] }
}

/**
 * Creates the parsers of untrusted files, with one thread for lists and one for images. A thread starts with its first
 * file and ends when it is idle. A file that exceeds the limit on memory, processor time or wall-clock time ends its
 * thread and is rejected; files of other studios wait at most until then.
 */
export const startParserThreads = (log: Log): ParserThreads => {
  const listPool = threadPool(listThreadFile, log, listLimits)
  const imagePool = threadPool(imageThreadFile, log, imageLimits)
  const runInListThread = async <Result>(
    name: ListFunction,
    request: ListRequest,
    studioId: number,
  ): Promise<Result | ReadFailure> => {
    const result = await listPool.run<Result>(name, studioId, () => {
      const { file, transfer } = toTransferable(request.file)
      return { input: { ...request, file }, transfer }
    })
    return isTaskFailure(result) ? toReadFailure(result) : result
  }
  const runInImageThread = async <Result>(name: ImageFunction, source: ImageSource, studioId: number) => {
    const result = await imagePool.run<Result>(name, studioId, () => {
      const { file, transfer } = toTransferable(source)
      return { input: file, transfer }
    })
    if (!isTaskFailure(result)) return result
    return { ok: false, refusal: result === 'busy' ? inspectionBusy : tooSlowToDecode } as const
  }
  return {
    findList: (request, studioId) => runInListThread('findListInThread', request, studioId),
    readCodes: (request, studioId) => runInListThread('readCodesInThread', request, studioId),
    planList: (request, studioId) => runInListThread('planListInThread', request, studioId),
    inspect: (source, studioId) => runInImageThread<Inspection>('inspectInThread', source, studioId),
    makeLogo: (source, studioId) => runInImageThread<LogoResult>('makeLogoInThread', source, studioId),
    stop: async () => {
      await Promise.all([listPool.stop(), imagePool.stop()])
    },
  }
}
