import { is } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { MutationContext } from '#server/carts/sync/mutation-context.ts'
import { resolveMutation } from '#server/carts/sync/mutation-handlers.ts'
import { parseMutation } from '#server/carts/sync/parse-mutation.ts'

const stamp = { id: '11111111-1111-4111-8111-111111111111', v: mutationVersion, at: '2027-04-01T10:00:00.000Z' }
const unknownMutation = { ...stamp, do: 'line.give-away', lineId: '22222222-2222-4222-8222-222222222222', price: 0 }

/** An open job without any data. */
const openJob = { closed: null } as MutationContext // an unknown kind is rejected before anything else is read

describe('an unknown kind of mutation', () => {
  it.each([unknownMutation.do, 'toString', '__proto__', '', null, 7])('the parser rejects the kind %j', (kind) => {
    const answer = parseMutation({ ...unknownMutation, do: kind })
    expect(answer).toMatchObject({ id: stamp.id, status: 'refused', problem: 'bad-request' })
  })

  it('neither the contract nor the device accepts an unknown kind', () => {
    expect(is(unknownMutation, MutationStruct)).toBe(false)
    expect(upcastMutation(unknownMutation)).toBe('unknown-version')
  })

  it.each([unknownMutation.do, 'toString'])(
    'the server rejects the kind %s even if parsing lets it through',
    (kind) => {
      const mutation = { ...unknownMutation, do: kind } as unknown as Mutation // would not compile otherwise
      expect(resolveMutation(mutation, emptyCart(1, 'gallery'), openJob)).toMatchObject({
        refused: { problem: 'bad-request' },
      })
    },
  )
})
