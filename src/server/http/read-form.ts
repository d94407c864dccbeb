import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type Problem, problem } from './problem.ts'

/** What comes in a form: its files, whole, and its fields by name. */
export type Form = {
  readonly files: readonly { readonly field: string; readonly fileName: string; readonly bytes: Buffer }[]
  readonly fields: Readonly<Record<string, string>>
}

type Limits = { readonly mostFiles: number; readonly mostBytes: number }

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
  { mostFiles, mostBytes }: Limits,
): Promise<Form | Problem<'too-large' | 'unsupported-media' | 'bad-request'>> => {
  if (!request.isMultipart?.()) return problem('unsupported-media')
  const files: Form['files'][number][] = []
  const fields: Record<string, string> = {}
  const limits = { files: mostFiles, fileSize: mostBytes, fields: 3 * mostFiles + 10, fieldSize: 1000 }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') files.push(await readFile(part))
      else fields[part.fieldname] = String(part.value)
    }
  } catch (error) {
    if (isTooMuch(error)) return problem('too-large')
    return problem('bad-request', 'The files did not arrive whole. Please send them again')
  }
  return { files, fields }
}
