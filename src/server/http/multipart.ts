import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Problem, problem } from './problem.ts'

/** What comes in a form: its files, whole, and its fields by name. */
export type Form = {
  readonly files: readonly { readonly field: string; readonly fileName: string; readonly bytes: Buffer }[]
  readonly fields: Readonly<Record<string, string>>
}

type Limits = { readonly files: number; readonly fileBytes: number }

/**
 * Mounts routes that take files as a form: `await takeFiles(app, { files: 1, fileBytes: 5e6 }, (scope) => mount(scope, …))`. Routes
 * outside know nothing but JSON. Their calls have `Nothing` as body; the handler reads the form with `readForm`.
 */
export const takeFiles = async (
  app: FastifyInstance,
  { files, fileBytes }: Limits,
  mountAll: (scope: FastifyInstance) => void,
): Promise<void> => {
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { files, fileSize: fileBytes, fields: 4 * files + 20, fieldSize: 10_000 },
    })
    mountAll(scope)
  })
}

const isTooMuch = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413

const readFile = async (part: MultipartFile): Promise<Form['files'][number]> => ({
  field: part.fieldname,
  fileName: part.filename.replace(/^.*[\\/]/, ''),
  bytes: await part.toBuffer(),
})

/** Reads a form whole; a problem where it is none, is cut short, or holds more or larger files than its route takes. */
export const readForm = async (
  request: FastifyRequest,
): Promise<Form | Problem<'too-large' | 'unsupported-media' | 'bad-request'>> => {
  if (!request.isMultipart()) return problem('unsupported-media')
  const files: Form['files'][number][] = []
  const fields: Record<string, string> = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') files.push(await readFile(part))
      else fields[part.fieldname] = String(part.value)
    }
  } catch (error) {
    if (isTooMuch(error)) return problem('too-large')
    request.log.info({ err: error }, 'a form could not be read')
    return problem('bad-request', 'The files did not arrive whole. Please send them again')
  }
  return { files, fields }
}
