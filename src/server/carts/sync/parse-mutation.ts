import { is } from 'superstruct'
import { type MutationResult, Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { Uuid } from '#contract/shapes/primitives.ts'
import { problems } from '#contract/shapes/problems.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { type CartCommand, contentHash, rejectedResult } from './command.ts'
import { otherVersionMessage } from './mutation-rejections.ts'

const nobody = '00000000-0000-0000-0000-000000000000'

const idOf = (found: unknown): string => {
  const id = typeof found === 'object' && found !== null && 'id' in found ? found.id : undefined
  return is(id, Uuid) ? id : nobody
}

/**
 * Up-casts one mutation and checks it against the contract on its own, so that only an unreadable one is rejected (section 7). Such a
 * rejection is not recorded: it does not depend on the cart.
 */
export const parseMutation = (found: unknown): CartCommand | MutationResult => {
  const upcast = upcastMutation(found)
  if (upcast === 'unknown-version') {
    return rejectedResult(idOf(found), { problem: 'bad-request', message: otherVersionMessage })
  }
  if (!is(upcast, MutationStruct)) {
    return rejectedResult(idOf(found), { problem: 'bad-request', message: problems['bad-request'].sentence })
  }
  return { id: upcast.id, kind: upcast.do, bodyHash: contentHash(found), mutations: () => [upcast] }
}
