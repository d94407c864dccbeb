import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cart } from '#domain/cart/cart.ts'
import { cartChanges, withCartChanges } from '#domain/cart/cart-changes.ts'
import { replayMutations } from '#domain/cart/replay.ts'
import { confirmedCart, mutations } from './random-mutations.ts'

const sentAsJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value // JSON of the same shape

test('a device that applies the changes to its cart has the changed cart', () => {
  fc.assert(
    fc.property(confirmedCart, mutations, (before, outbox) => {
      const { cart: after } = replayMutations(before, outbox)
      const changes = cartChanges(before, after)
      if (!changes) throw new Error('the cart lost a property')
      expect(withCartChanges(sentAsJson(before), sentAsJson(changes))).toEqual(sentAsJson(after))
    }),
  )
})

test('a line that has not changed is sent as its id', () => {
  fc.assert(
    fc.property(confirmedCart, (cart) => {
      const lineIds = cart.cartPackages.map(({ lineId }) => ({ lineId }))
      expect(cartChanges(cart, sentAsJson(cart))).toEqual({ cartPackages: lineIds })
    }),
  )
})

test('there are no changes for a cart that loses a property', () => {
  fc.assert(
    fc.property(confirmedCart, (cart) => {
      const ordered: Cart = { ...cart, orderedCarts: [{ cartId: 1, orderNumber: null }] }
      expect(cartChanges(ordered, cart)).toBeNull()
    }),
  )
})
