import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ignoring } from '#domain/shared/ignoring.ts'
import type { Deps } from '#server/deps.ts'
import { type Problem, problem } from '../problem.ts'

/** A file of a form, on disk until its request is answered. */
export type UploadedFile = {
  readonly field: string
  readonly fileName: string
  readonly byteSize: number
  /** SHA-256, reckoned as the bytes came. */
  readonly digest: string
  /** Where its bytes lie on this machine while the request is worked on. */
  readonly path: string
  /** Its bytes, whole: whoever reads one file after the other never holds all of them. */
  readonly read: () => Promise<Buffer>
}

/** What comes in a form: its files and its fields by name. */
export type Form = {
  readonly files: readonly UploadedFile[]
  readonly fields: Readonly<Record<string, string>>
}

/** How much a route takes: so many files, each of so many bytes, and all of them together (without it, as many as each may have). */
export type FormLimits = { readonly files: number; readonly fileBytes: number; readonly allBytes?: number }

type Refused = Problem<'too-large' | 'unsupported-media' | 'bad-request'>

const folderOf = (dataDir: string): string => join(dataDir, 'forms')

const mostBytesOf = ({ files, fileBytes, allBytes = files * fileBytes }: FormLimits): number => allBytes

/** What comes is more than its route takes: one of the files, or all of them. */
class TooMuch extends Error {
  readonly of: 'one' | 'all'

  constructor(of: 'one' | 'all') {
    super(`too much in ${of}`)
    this.of = of
  }
}

const isOverALimit = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

const mostNameLetters = 255

/** A file's name as it is stored: without folders and control characters, and no longer than file systems take. */
const fileNameOf = (sent: string | undefined): string =>
  (sent ?? '')
    .slice(-4096)
    .replace(/^.*[\\/]/s, '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(-mostNameLetters)

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A field that cannot be stored: its form is refused as a whole. */
class Unstorable extends Error {}

/** Writes a file down as it comes. Throws `TooMuch` past what is left of the form. */
const keepFile = async (part: MultipartFile, path: string, left: number): Promise<UploadedFile> => {
  const hash = createHash('sha256')
  let byteSize = 0
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      byteSize += chunk.length
      if (byteSize > left) throw new TooMuch('all')
      hash.update(chunk)
      yield chunk
    }
  }
  const kept = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  // Only what is closed can be removed for good: one that is still being opened would come after that.
  const closed = new Promise<void>((resolve) => kept.once('close', () => resolve()))
  await pipeline(part.file, measured, kept).finally(() => closed)
  if (part.file.truncated) throw new TooMuch('one')
  const fileName = fileNameOf(part.filename)
  return { field: part.fieldname, fileName, byteSize, digest: hash.digest('hex'), path, read: () => readFile(path) }
}

const fieldOf = ({ fieldname, value }: MultipartValue): string => {
  const text = String(value)
  if (!isStorable(fieldname) || !isStorable(text)) throw new Unstorable()
  return text
}

type StoredForm = { form: Form; paths: readonly string[] }

const keepParts = async (
  { newId, settings }: Deps,
  request: FastifyRequest,
  { limits, paths }: { limits: FormLimits; paths: string[] },
): Promise<Form> => {
  const folder = folderOf(settings.dataDir)
  await mkdir(folder, { recursive: true })
  const files: UploadedFile[] = []
  const fields: Record<string, string> = Object.create(null)
  let left = mostBytesOf(limits)
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const path = join(folder, newId())
      paths.push(path)
      const file = await keepFile(part, path, left)
      left -= file.byteSize
      files.push(file)
    } else fields[part.fieldname] = fieldOf(part)
  }
  return { files, fields }
}

const tooLargeTogether = (limits: FormLimits): Refused => {
  const most = `${Math.floor(mostBytesOf(limits) / 1024 / 1024)} MB`
  return problem(
    'too-large',
    limits.files > 1 ? `These files have more than ${most} together. Send fewer at a time` : undefined,
  )
}

/** What the line does when it is cut. */
const cuts: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']

/** Whether a form is unread because of what was sent: the parser says so without a code or with its own, or the line was cut. */
const isSenders = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof TypeError) return false
  return !('code' in error) || cuts.includes(error.code) || String(error.code).startsWith('FST_')
}

/** Throws what is no fault of the sender's, like a disk that is full. */
const whyUnread = (request: FastifyRequest, error: unknown, limits: FormLimits): Refused => {
  if (error instanceof TooMuch && error.of === 'all') return tooLargeTogether(limits)
  if (error instanceof TooMuch || isOverALimit(error)) return problem('too-large')
  if (error instanceof Unstorable) return problem('bad-request', 'Some of this cannot be kept')
  if (!isSenders(error)) throw error
  request.log.info({ err: error }, 'a form could not be read')
  return problem('bad-request', 'The files did not arrive whole. Please send them again')
}

const removeAll = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await rm(path, { force: true })
}

/** Reads a form; a problem where it is none, is cut short, or holds more or larger files than its route takes. */
const readForm = async (deps: Deps, request: FastifyRequest, limits: FormLimits): Promise<StoredForm | Refused> => {
  if (!request.isMultipart()) return problem('unsupported-media')
  // Where it says so itself, nobody has to wait until it has come.
  if (Number(request.headers['content-length']) > mostBytesOf(limits) + 1024 * 1024) return tooLargeTogether(limits)
  const paths: string[] = []
  try {
    return { form: await keepParts(deps, request, { limits, paths }), paths }
  } catch (error) {
    // What is still on its way has nobody to read it, and holds up the answer.
    request.raw.unpipe()
    request.raw.resume()
    await removeAll(paths)
    return whyUnread(request, error, limits)
  }
}

/** Works on the form of a request, whose files are gone afterwards, whatever came of it. */
export const withForm = async <Result>(
  deps: Deps,
  request: FastifyRequest,
  { limits, work }: { limits: FormLimits; work: (form: Form) => Promise<Result> },
): Promise<Result | Refused> => {
  const read = await readForm(deps, request, limits)
  if (!('form' in read)) return read
  try {
    return await work(read.form)
  } finally {
    await removeAll(read.paths)
  }
}

/** Removes what a crash left of forms: files last touched before `before`, since other processes may be reading theirs now. */
export const removeOldForms = async (dataDir: string, before: Date): Promise<void> => {
  const names = await readdir(folderOf(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(folderOf(dataDir), name)
    const found = await ignoring('another process removed the file', () => stat(path))
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}

/** What of a form says whether it is the same one sent again: everything but where its files lie here. */
export const contentOfForm = ({ files, ...rest }: Form) => ({
  ...rest,
  files: files.map(({ path: _path, read: _read, ...file }) => file),
})
