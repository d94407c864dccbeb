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
  /** SHA-256, computed as the bytes arrived. */
  readonly digest: string
  /** The path of its bytes while the request is processed. */
  readonly path: string
  /** Reads all its bytes. Read one file after the other, so that not all of them are in memory. */
  readonly read: () => Promise<Buffer>
}

/** A form's files, and its fields by name. */
export type Form = {
  readonly files: readonly UploadedFile[]
  readonly fields: Readonly<Record<string, string>>
}

/** A route's limits: the number of files, the bytes of each, and of all together (default: the sum). */
export type FormLimits = { readonly files: number; readonly fileBytes: number; readonly allBytes?: number }

type Rejected = Problem<'too-large' | 'unsupported-media' | 'bad-request'>

const formsFolder = (dataDir: string): string => join(dataDir, 'forms')

const maxBytesOf = ({ files, fileBytes, allBytes = files * fileBytes }: FormLimits): number => allBytes

/** One file of a form, or all files together, exceed the limits of the route. */
class FormTooLarge extends Error {
  readonly scope: 'file' | 'form'

  constructor(scope: 'file' | 'form') {
    super(`the ${scope} is too large`)
    this.scope = scope
  }
}

const isLimitError = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

const maxNameLength = 255

/** Cleans a file name for storage: without folders and control characters, and no longer than file systems allow. */
const fileNameOf = (receivedName: string | undefined): string =>
  (receivedName ?? '')
    .slice(-4096)
    .replace(/^.*[\\/]/s, '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(-maxNameLength)

/** Whether PostgreSQL can store a text: it stores neither NUL nor half a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** A field of a form cannot be stored, so the whole form is rejected. */
class UnstorableField extends Error {}

/** Writes a file to disk as it arrives. Throws `FormTooLarge` past the remaining bytes of the form. */
const storeFile = async (part: MultipartFile, path: string, remainingBytes: number): Promise<UploadedFile> => {
  const hash = createHash('sha256')
  let byteSize = 0
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      byteSize += chunk.length
      if (byteSize > remainingBytes) throw new FormTooLarge('form')
      hash.update(chunk)
      yield chunk
    }
  }
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  // Waits until the file is closed: if it were removed while it is being opened, it would be created afterwards.
  const closed = new Promise<void>((resolve) => output.once('close', () => resolve()))
  await pipeline(part.file, measure, output).finally(() => closed)
  if (part.file.truncated) throw new FormTooLarge('file')
  const fileName = fileNameOf(part.filename)
  return { field: part.fieldname, fileName, byteSize, digest: hash.digest('hex'), path, read: () => readFile(path) }
}

const readField = ({ fieldname, value }: MultipartValue): string => {
  const text = String(value)
  if (!isStorable(fieldname) || !isStorable(text)) throw new UnstorableField()
  return text
}

type StoredForm = { form: Form; paths: readonly string[] }

const storeParts = async (
  { newId, settings }: Deps,
  request: FastifyRequest,
  { limits, paths }: { limits: FormLimits; paths: string[] },
): Promise<Form> => {
  const folder = formsFolder(settings.dataDir)
  await mkdir(folder, { recursive: true })
  const files: UploadedFile[] = []
  const fields: Record<string, string> = Object.create(null)
  let remainingBytes = maxBytesOf(limits)
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      const path = join(folder, newId())
      paths.push(path)
      const file = await storeFile(part, path, remainingBytes)
      remainingBytes -= file.byteSize
      files.push(file)
    } else fields[part.fieldname] = readField(part)
  }
  return { files, fields }
}

const tooLargeProblem = (limits: FormLimits): Rejected => {
  const maxSize = `${Math.floor(maxBytesOf(limits) / 1024 / 1024)} MB`
  return problem(
    'too-large',
    limits.files > 1 ? `These files have more than ${maxSize} together. Send fewer at a time` : undefined,
  )
}

/** The error codes of an interrupted connection. */
const interruptionCodes: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']

/**
 * Whether the sender caused an error: the parser reports a malformed form with its own code or without one, or the
 * connection was interrupted.
 */
const isSenderError = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof TypeError) return false
  return !('code' in error) || interruptionCodes.includes(error.code) || String(error.code).startsWith('FST_')
}

/** Converts an error into a problem. Rethrows errors that the sender did not cause, such as a full disk. */
const toFormProblem = (request: FastifyRequest, error: unknown, limits: FormLimits): Rejected => {
  if (error instanceof FormTooLarge && error.scope === 'form') return tooLargeProblem(limits)
  if (error instanceof FormTooLarge || isLimitError(error)) return problem('too-large')
  if (error instanceof UnstorableField) return problem('bad-request', 'Some of this can’t be stored')
  if (!isSenderError(error)) throw error
  request.log.info({ err: error }, 'a form could not be read')
  return problem('bad-request', 'The files arrived incomplete. Please send them again')
}

const removeFiles = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await rm(path, { force: true })
}

/** Reads a form; returns a problem if it is malformed or incomplete, or exceeds the limits of its route. */
const readForm = async (deps: Deps, request: FastifyRequest, limits: FormLimits): Promise<StoredForm | Rejected> => {
  if (!request.isMultipart()) return problem('unsupported-media')
  // A form that declares too large a size is rejected before it is received.
  if (Number(request.headers['content-length']) > maxBytesOf(limits) + 1024 * 1024) return tooLargeProblem(limits)
  const paths: string[] = []
  try {
    return { form: await storeParts(deps, request, { limits, paths }), paths }
  } catch (error) {
    // The rest of the request has no reader and would delay the response.
    request.raw.unpipe()
    request.raw.resume()
    await removeFiles(paths)
    return toFormProblem(request, error, limits)
  }
}

/** Processes the form of a request; its files are always removed afterwards. */
export const withForm = async <Result>(
  deps: Deps,
  request: FastifyRequest,
  { limits, work }: { limits: FormLimits; work: (form: Form) => Promise<Result> },
): Promise<Result | Rejected> => {
  const storedForm = await readForm(deps, request, limits)
  if (!('form' in storedForm)) return storedForm
  try {
    return await work(storedForm.form)
  } finally {
    await removeFiles(storedForm.paths)
  }
}

/**
 * Removes files that a crash left behind: those last changed before `before`, because other processes may be using
 * newer files.
 */
export const removeOldForms = async (dataDir: string, before: Date): Promise<void> => {
  const names = await readdir(formsFolder(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(formsFolder(dataDir), name)
    const stats = await ignoring('another process removed the file', () => stat(path))
    if (stats && stats.mtime < before) await rm(path, { force: true })
  }
}

/** The content that identifies a repeated form: everything except the paths of its files. */
export const contentOfForm = ({ files, ...otherParts }: Form) => ({
  ...otherParts,
  files: files.map(({ path: _path, read: _read, ...file }) => file),
})
