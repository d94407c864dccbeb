import type { FastifyRequest } from 'fastify'
import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { type Change, mutationVersion } from '#domain/cart/mutation.ts'
import type { Session } from '#server/access/sessions/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { uuidFrom } from '#server/http/hash.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import { type CartCommand, contentHash } from '../sync/command.ts'
import { rejections } from '../sync/mutation-rejections.ts'

type KeyedRequest = { readonly session: Session; readonly request: FastifyRequest; readonly key: string | undefined }

/**
 * Derives an id from the idempotency key, so that a retry gets the same id. `purpose` separates several ids of one
 * request.
 */
export const derivedId = ({ newId }: Deps, { session, request, key }: KeyedRequest, purpose: string): string =>
  key === undefined ? newId() : uuidFrom([session.id, request.method, request.url, key, purpose].join('\n'))

type RestChange = { readonly kind: Change['do']; readonly changes: (cart: Cart) => readonly Change[] }

/** The command of a single call. A retry is recognized by its request, not by the mutations created from it. */
export const restCommand = (deps: Deps, keyedRequest: KeyedRequest, { kind, changes }: RestChange): CartCommand => {
  const { method, url, body } = keyedRequest.request
  const mutationBase = {
    id: derivedId(deps, keyedRequest, kind),
    v: mutationVersion,
    at: deps.clock().toISOString(),
  } as const
  return {
    id: mutationBase.id,
    kind,
    bodyHash: contentHash([method, url, body ?? null]),
    mutations: (cart) => changes(cart).map((change) => ({ ...mutationBase, ...change })),
    autofills: true,
  }
}

/** Converts a rejected mutation into the response of a REST call. */
export const rejectionProblem = (result: MutationResult | undefined): Problem<'refused' | 'key-reused'> | undefined => {
  if (result?.status !== 'refused') return undefined
  return problem(result.problem === rejections['key-reused'].problem ? 'key-reused' : 'refused', result.errors)
}
