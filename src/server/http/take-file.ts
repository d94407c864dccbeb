import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Problem, problem } from './problem.ts'

/** Lets the routes that `mountRoutes` puts into it take files; all others go on taking JSON alone. */
export const takingFiles = (app: FastifyInstance, mountRoutes: (scope: FastifyInstance) => void): void => {
  app.register(async (scope) => {
    await scope.register(multipart)
    mountRoutes(scope)
  })
}

/** A file somebody sent, whole; `name` is what it is called where it came from, and nothing more. */
export type TakenFile = { readonly name: string; readonly bytes: Buffer }

const isRefusal = (error: unknown): error is { statusCode: number } =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'

const refusalOf = (error: unknown): Problem<'bad-request' | 'too-large'> => {
  if (isRefusal(error) && error.statusCode === 413) return problem('too-large')
  // What stops early or is not multipart at all is told by the parser in words of its own.
  return problem('bad-request', 'This file did not arrive whole. Please send it again')
}

/** The one file of a request, in its field. Everything else of a request that names another is let go. */
export const takeFile = async (
  request: FastifyRequest,
  { field, mostBytes }: { field: string; mostBytes: number },
): Promise<TakenFile | Problem<'bad-request' | 'too-large' | 'unsupported-media'>> => {
  if (!request.isMultipart?.()) return problem('unsupported-media')
  try {
    const limits = { fileSize: mostBytes, files: 1, fields: 10, fieldSize: 1000, parts: 11 }
    const part = await request.file({ limits })
    if (part?.fieldname === field) return { name: part.filename ?? '', bytes: await part.toBuffer() }
    part?.file.resume()
    return problem('bad-request', undefined, { fields: { [field]: ['This field is required'] } })
  } catch (error) {
    return refusalOf(error)
  }
}
