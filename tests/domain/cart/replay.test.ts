import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cartCents, isAddOnAllowed, isStandard } from '#domain/cart/add-ons.ts'
import { emptyCart } from '#domain/cart/cart.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { added, addOn, packageOf, recorded } from './cart-fixtures.ts'
import { confirmedCart, mutations } from './random-mutations.ts'

const empty = emptyCart(1, 'gallery')

describe('replaying the outbox over the confirmed cart', () => {
  test('replay reports dropped add-ons and rejected mutations, and continues', () => {
    const cheap = packageOf({ id: 101, retailCost: 10 })
    const addOnWithMinimum = addOn(202, { type: 'addon_price', requiredMinPrice: 20 })
    const invalid = recorded({ do: 'line.quantity', lineId: 'unknown', quantity: 2 })
    const replayed = replayMutations(empty, [
      added(cheap, 'a', 2),
      added(addOnWithMinimum, 'x'),
      invalid,
      recorded({ do: 'line.quantity', lineId: 'a', quantity: 1 }),
    ])
    expect(replayed.cart.cartPackages.map((line) => line.lineId)).toEqual(['a'])
    expect(replayed.dropped.map((line) => line.lineId)).toEqual(['x'])
    expect(replayed.rejected).toEqual([{ mutationId: invalid.mutation.id, problem: 'line-unknown' }])
  })

  test('an empty outbox leaves the confirmed cart unchanged', () => {
    fc.assert(
      fc.property(confirmedCart, (cart) => {
        expect(replayMutations(cart, []).cart).toBe(cart)
      }),
    )
  })

  test('replay is deterministic and does not change its input', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (cart, outbox) => {
        const before = JSON.stringify([cart, outbox])
        expect(replayMutations(cart, outbox)).toEqual(replayMutations(cart, outbox))
        expect(JSON.stringify([cart, outbox])).toBe(before)
      }),
    )
  })

  test('replaying all mutations at once or one by one has the same result', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, fc.nat({ max: 12 }), (cart, outbox, splitIndex) => {
        const firstPart = replayMutations(cart, outbox.slice(0, splitIndex)).cart
        expect(replayMutations(firstPart, outbox.slice(splitIndex)).cart).toEqual(replayMutations(cart, outbox).cart)
      }),
    )
  })

  test('the cart rules hold after any sequence of mutations', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (confirmed, outbox) => {
        const { cart } = replayMutations(confirmed, outbox)
        const { cartPackages, subjects } = cart
        expect(cartCents(cart)).toBeGreaterThanOrEqual(0)
        expect(cartPackages.length === 0 || cartPackages.some(isStandard)).toBe(true)
        for (const line of cartPackages) {
          expect(isAddOnAllowed(cart, line)).toBe(true)
          expect(line.quantity).toBeGreaterThan(0)
        }
        expect(new Set(cartPackages.map((line) => line.lineId)).size).toBe(cartPackages.length)
        const subjectIds = new Set(cartPackages.map((line) => line.subjectId))
        expect(new Set(subjects.map((subject) => subject.subjectId))).toEqual(subjectIds)
      }),
    )
  })

  test('applying each mutation twice in a row has the effect of applying it once', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (cart, outbox) => {
        const twice = outbox.flatMap((recordedMutation) => [recordedMutation, recordedMutation])
        expect(replayMutations(cart, twice).cart).toEqual(replayMutations(cart, outbox).cart)
      }),
    )
  })

  test('retrying all edits and removals at the end, in order, changes nothing', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (cart, outbox) => {
        const adds = outbox.filter(({ mutation }) => mutation.do === 'line.add')
        const edits = outbox.filter(({ mutation }) => mutation.do === 'line.customise' || mutation.do === 'line.remove')
        const once = replayMutations(cart, [...adds, ...edits]).cart
        expect(replayMutations(once, edits).cart).toEqual(once)
      }),
    )
  })
})
