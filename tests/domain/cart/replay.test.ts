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
    const extra = addOn(202, { type: 'addon_price', requiredMinPrice: 20 })
    const wrong = recorded({ do: 'line.quantity', lineId: 'nobody', quantity: 2 })
    const folded = replayMutations(empty, [
      added(cheap, 'a', 2),
      added(extra, 'x'),
      wrong,
      recorded({ do: 'line.quantity', lineId: 'a', quantity: 1 }),
    ])
    expect(folded.cart.cartPackages.map((line) => line.lineId)).toEqual(['a'])
    expect(folded.dropped.map((line) => line.lineId)).toEqual(['x'])
    expect(folded.refused).toEqual([{ mutationId: wrong.mutation.id, problem: 'line-unknown' }])
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
      fc.property(confirmedCart, mutations, fc.nat({ max: 12 }), (cart, outbox, at) => {
        const first = replayMutations(cart, outbox.slice(0, at)).cart
        expect(replayMutations(first, outbox.slice(at)).cart).toEqual(replayMutations(cart, outbox).cart)
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
        const owners = new Set(cartPackages.map((line) => line.subjectId))
        expect(new Set(subjects.map((one) => one.subjectId))).toEqual(owners)
      }),
    )
  })

  test('applying each mutation twice in a row has the effect of applying it once', () => {
    fc.assert(
      fc.property(confirmedCart, mutations, (cart, outbox) => {
        const twice = outbox.flatMap((one) => [one, one])
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
