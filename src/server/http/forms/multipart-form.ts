import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { ignoring } from '#server/ignoring.ts'
import { type Problem, problem } from '../problem.ts'

/** A file of a form, on disk until its request is answered. */
export type UploadedFile = {
  readonly field: string
  readonly fileName: string
  readonly byteSize: number
  /** SHA-256, computed as the bytes arrived. */
  readonly digest: string
  /** The path of its bytes while the request is processed. */
  readonly path: string
  /** Its bytes as a whole: a caller that reads one file after the other never holds all of them. */
  readonly read: () => Promise<Buffer>
}

/** A form's files, and its fields by name. */
export type Form = {
  readonly files: readonly UploadedFile[]
  readonly fields: Readonly<Record<string, string>>
}

/** A route's limits: the number of files, the bytes of each, and of all together (default: the sum). */
export type FormLimits = { readonly files: number; readonly fileBytes: number; readonly allBytes?: number }

type Refused = Problem<'too-large' | 'unsupported-media' | 'bad-request'>

const folderOf = (dataDir: string): string => join(dataDir, 'forms')

const mostBytesOf = ({ files, fileBytes, allBytes = files * fileBytes }: FormLimits): number => allBytes

/** The form exceeds its route's limits: one of the files, or all of them. */
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

/** A file's name for storage: without folders and control characters, and no longer than file systems allow. */
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

/** Writes a file to disk as it arrives. Throws `FormTooLarge` past the bytes left of the form. */
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
  // Only a closed file can be removed for good: one that is still being opened would be created after that.
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

/** The error codes of an interrupted connection. */
const cuts: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']

/**
 * Whether a form is unreadable because of what was sent: the parser reports it without a code or with its own, or the connection was
 * interrupted.
 */
const isSenders = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof TypeError) return false
  return !('code' in error) || cuts.includes(error.code) || String(error.code).startsWith('FST_')
}

/** Throws what is not the sender's fault, like a full disk. */
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

/** Reads a form; a problem where it is malformed, cut short, or exceeds its route's limits. */
const readForm = async (deps: Deps, request: FastifyRequest, limits: FormLimits): Promise<StoredForm | Refused> => {
  if (!request.isMultipart()) return problem('unsupported-media')
  // A form that declares too large a size is refused before it arrives.
  if (Number(request.headers['content-length']) > mostBytesOf(limits) + 1024 * 1024) return tooLargeTogether(limits)
  const paths: string[] = []
  try {
    return { form: await keepParts(deps, request, { limits, paths }), paths }
  } catch (error) {
    // The rest of the request has no reader and would delay the response.
    request.raw.unpipe()
    request.raw.resume()
    await removeAll(paths)
    return whyUnread(request, error, limits)
  }
}

/** Processes the form of a request; its files are always removed afterwards. */
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

/** Removes files that a crash left behind: those last touched before `before`, since other processes may be reading theirs now. */
export const removeOldForms = async (dataDir: string, before: Date): Promise<void> => {
  const names = await readdir(folderOf(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(folderOf(dataDir), name)
    const found = await ignoring('another process removed the file', () => stat(path))
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}

/** The content that identifies a repeated form: everything except the paths of its files. */
export const contentOfForm = ({ files, ...rest }: Form) => ({
  ...rest,
  files: files.map(({ path: _path, read: _read, ...file }) => file),
})
