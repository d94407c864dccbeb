import { is } from 'superstruct'
import { type MutationResult, Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { Uuid } from '#contract/shapes/primitives.ts'
import { problems } from '#contract/shapes/problems.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { type CartCommand, contentHash, rejectedResult } from './command.ts'
import { otherVersionMessage } from './mutation-rejections.ts'

/** The id of a result for a mutation without a valid id. */
const unknownId = '00000000-0000-0000-0000-000000000000'

const readId = (input: unknown): string => {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined
  return is(id, Uuid) ? id : unknownId
}

/**
 * Up-casts one mutation and validates it separately, so that an invalid one does not affect the others (section 7).
 * Such a rejection is not recorded, because it does not depend on the cart.
 */
export const parseMutation = (input: unknown): CartCommand | MutationResult => {
  const upcast = upcastMutation(input)
  if (upcast === 'unknown-version') {
    return rejectedResult(readId(input), { problem: 'bad-request', message: otherVersionMessage })
  }
  if (!is(upcast, MutationStruct)) {
    return rejectedResult(readId(input), { problem: 'bad-request', message: problems['bad-request'].message })
  }
  return { id: upcast.id, kind: upcast.do, bodyHash: contentHash(input), mutations: () => [upcast] }
}
