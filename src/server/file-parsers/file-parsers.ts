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
 * The parsers of untrusted files, given as bytes or as a path that only the thread reads. Studios take turns, so each call names the studio
 * that received the file.
 */
export type FileParsers = {
  readonly findList: (request: ListRequest, studioId: number) => Promise<DetectedList | ReadFailure>
  readonly readCodes: (request: CodesRequest, studioId: number) => Promise<{ codes: readonly string[] } | ReadFailure>
  readonly planList: (request: PlanRequest, studioId: number) => Promise<PlannedList | ReadFailure>
  readonly inspect: (source: ImageSource, studioId: number) => Promise<Inspection>
  readonly makeLogo: (source: ImageSource, studioId: number) => Promise<LogoResult>
}

/** `FileParsers` in threads, and how to stop them. What is being parsed then fails. */
type ParserThreads = FileParsers & { readonly stop: () => Promise<void> }

const listFile = new URL('./list-parser-thread.ts', import.meta.url)
const pictureFile = new URL('./image-parser-thread.ts', import.meta.url)
type OfLists = keyof typeof import('./list-parser-thread.ts')
type OfPictures = keyof typeof import('./image-parser-thread.ts')

/** A file waits longer than the slowest file of another studio takes, so that of two studios the one with few files is always served. */
const turns = { queueMilliseconds: 15_000, maxWaiting: 3 }

const listLimits = {
  ...turns,
  heapMegabytes: 128,
  processorMilliseconds: 12_000,
  taskMilliseconds: 30_000,
}
/** Pixels are decoded outside of V8, a few rows at a time, by threads of the library, which only wall-clock time covers. */
const pictureLimits = {
  ...turns,
  heapMegabytes: 64,
  processorMilliseconds: 12_000,
  taskMilliseconds: 12_000,
}

const listSentences: Readonly<Record<Exclude<TaskFailure, 'busy'>, string>> = {
  'too-slow': 'This file takes too long to read. Save only the sheet with the list, as .xlsx or CSV, and send that',
  'too-large': 'This file unpacks to more than we can take. Send only the sheet with the list',
}
const busySentence = 'Other lists are being read at the moment. Please send this one again in a minute'

const unread = (reason: TaskFailure): ReadFailure =>
  reason === 'busy' ? { busy: busySentence } : { refused: listSentences[reason] }

const isNoAnswer = (answer: unknown): answer is TaskFailure => typeof answer === 'string'

/** A file for a thread. Copied once and then moved: otherwise both the message and the thread would hold a copy. */
const toMove = (file: ImageSource): { file: ImageSource; transfer: ArrayBuffer[] } => {
  if (typeof file === 'string') return { file, transfer: [] }
  const copy = new Uint8Array(file)
  return { file: copy, transfer: [copy.buffer] }
}

/**
 * Parses untrusted files in threads with a memory limit and a timeout, lists and images separately: a hostile file costs its sender one
 * refusal, and other studios at most one wait.
 */
export const startParserThreads = (log: Log): ParserThreads => {
  const lists = threadPool(listFile, log, listLimits)
  const pictures = threadPool(pictureFile, log, pictureLimits)
  const readWith = async <Answer>(
    name: OfLists,
    request: ListRequest,
    studioId: number,
  ): Promise<Answer | ReadFailure> => {
    const answer = await lists.run<Answer>(name, studioId, () => {
      const { file, transfer } = toMove(request.file)
      return { input: { ...request, file }, transfer }
    })
    return isNoAnswer(answer) ? unread(answer) : answer
  }
  const lookWith = async <Answer>(name: OfPictures, source: ImageSource, studioId: number) => {
    const answer = await pictures.run<Answer>(name, studioId, () => {
      const { file, transfer } = toMove(source)
      return { input: file, transfer }
    })
    if (!isNoAnswer(answer)) return answer
    return { ok: false, refusal: answer === 'busy' ? inspectionBusy : tooSlowToDecode } as const
  }
  return {
    findList: (request, studioId) => readWith('findListHere', request, studioId),
    readCodes: (request, studioId) => readWith('readCodesHere', request, studioId),
    planList: (request, studioId) => readWith('planListHere', request, studioId),
    inspect: (source, studioId) => lookWith<Inspection>('inspectHere', source, studioId),
    makeLogo: (source, studioId) => lookWith<LogoResult>('makeLogoHere', source, studioId),
    stop: async () => {
      await Promise.all([lists.stop(), pictures.stop()])
    },
  }
}
