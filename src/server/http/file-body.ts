import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AnyCall } from '../../contract/call.ts'
import type { Deps } from '../deps.ts'
import { admit } from './admit.ts'
import { type Handler, mount, sendAnswer } from './mount.ts'
import { answerOf, Problem } from './problem.ts'
import { readPart } from './read-part.ts'

/** Why this caller may not send a file here; undefined where they may. */
const refusedAtTheDoor = async (deps: Deps, call: AnyCall, request: FastifyRequest): Promise<Problem | undefined> => {
  const params = readPart(request.params, call.params)
  if (params instanceof Problem) return params
  const admitted = await admit(deps, call, { request, params: params.value })
  return admitted instanceof Problem ? admitted : undefined
}

type FileCall<Call extends AnyCall> = {
  readonly call: Call
  /** More is 413. */
  readonly mostBytes: number
  readonly handle: Handler<Call>
}

/**
 * Puts a call into the app whose body is a file, sent as it is (`application/octet-stream`) and held in memory: for what is small enough.
 * Whoever may not send it is stopped before a byte of it is read.
 */
export const mountFile = async <Call extends AnyCall>(
  app: FastifyInstance,
  deps: Deps,
  { call, mostBytes, handle }: FileCall<Call>,
): Promise<void> => {
  // A part of its own: the other calls read JSON and nothing else.
  await app.register(async (part) => {
    part.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: mostBytes },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    part.addHook('onRequest', async (request, reply) => {
      const refused = await refusedAtTheDoor(deps, call, request)
      return refused ? sendAnswer(reply, answerOf(refused)) : undefined
    })
    mount(part, deps, call, handle)
  })
}
