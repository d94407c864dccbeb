import { expect, test } from 'vitest'
import { emptyCart } from '#domain/cart/cart.ts'

test('an empty cart is open, unknown to any server, and contains nothing', () => {
  expect(emptyCart(3, 'prepay')).toEqual({
    id: null,
    jobId: 3,
    orderMethod: 'prepay',
    version: 0,
    state: 'open',
    cartPackages: [],
    subjects: [],
    cartOrderServicesDetails: { cartOrderServices: [], imageLevel: false, retouches: [], personalizations: [] },
    yearBookPoses: [],
  })
})
