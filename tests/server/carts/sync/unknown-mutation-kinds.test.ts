import { is } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { Mutation as MutationStruct } from '#contract/shapes/cart-structs.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { type Mutation, mutationVersion } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import type { MutationContext } from '#server/carts/sync/mutation-context.ts'
import { parseMutation } from '#server/carts/sync/parse-mutation.ts'
import { resolveMutation } from '#server/carts/sync/resolve-mutation.ts'

const stamped = { id: '11111111-1111-4111-8111-111111111111', v: mutationVersion, at: '2027-04-01T10:00:00.000Z' }
const madeUp = { ...stamped, do: 'line.give-away', lineId: '22222222-2222-4222-8222-222222222222', price: 0 }

/** An open job without any data. */
const facts = { closed: null } as MutationContext // an unknown kind is rejected before anything else is read

describe('an unknown kind of mutation', () => {
  it.each([madeUp.do, 'toString', '__proto__', '', null, 7])('the parser rejects it: %j', (kind) => {
    const answer = parseMutation({ ...madeUp, do: kind })
    expect(answer).toMatchObject({ id: stamped.id, status: 'refused', problem: 'bad-request' })
  })

  it('neither the contract nor the device reads it', () => {
    expect(is(madeUp, MutationStruct)).toBe(false)
    expect(upcastMutation(madeUp)).toBe('unknown-version')
  })

  it.each([madeUp.do, 'toString'])('the server’s check rejects it even if parsing let it through: %s', (kind) => {
    const mutation = { ...madeUp, do: kind } as unknown as Mutation // would not compile otherwise
    expect(resolveMutation(mutation, emptyCart(1, 'gallery'), facts)).toMatchObject({
      refused: { problem: 'bad-request' },
    })
  })
})
