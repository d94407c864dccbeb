import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normaliseOrderNumber, orderNumberFrom } from '#domain/orders/order-number.ts'
import {
  canTransitionOrder,
  type OrderState,
  orderLockReason,
  orderStates,
  orderTransitions,
} from '#domain/orders/order-states.ts'

const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 })

describe('order numbers', () => {
  test('an order number is FP- followed by eight characters of Crockford base 32', () => {
    expect(orderNumberFrom(new Uint8Array(8))).toBe('FP-00000000')
    expect(orderNumberFrom(Uint8Array.from([31, 18, 255, 33, 16, 9, 20, 27]))).toBe('FP-ZJZ1G9MV')
    fc.assert(
      fc.property(bytes, (randomBytes) => {
        expect(orderNumberFrom(randomBytes)).toMatch(/^FP-[0-9A-HJKMNP-TV-Z]{8}$/)
      }),
    )
  })

  test('an order number depends only on the first eight bytes', () => {
    fc.assert(
      fc.property(bytes, fc.uint8Array({ maxLength: 8 }), (firstBytes, extraBytes) => {
        expect(orderNumberFrom(Uint8Array.from([...firstBytes, ...extraBytes]))).toBe(orderNumberFrom(firstBytes))
      }),
    )
  })

  test('creating an order number from fewer than eight bytes throws', () =>
    expect(() => orderNumberFrom(new Uint8Array(7))).toThrow(new RangeError('An order number takes 8 random bytes')))

  test.each([
    ['FP-7K3M9QXZ', 'FP-7K3M9QXZ'],
    [' fp-7k3m9qxz ', 'FP-7K3M9QXZ'],
    ['FP7K3M9QXZ', 'FP-7K3M9QXZ'],
    ['7k3m 9qxz', 'FP-7K3M9QXZ'],
    ['FP–7K3M–9QXZ', 'FP-7K3M9QXZ'],
    ['FP-OIL0OIL0', 'FP-01100110'],
    ['FPABCDEF', 'FP-FPABCDEF'],
    ['FQ-7K3M9QXZ', null],
    ['FP-7K3M9QX', null],
    ['FP-7K3M9QXZZ', null],
    ['FP-7K3M9QXU', null],
    ['#FP-ZJZ1G9MV', 'FP-ZJZ1G9MV'],
    ['FP-ZJZ1G9MV.', 'FP-ZJZ1G9MV'],
    [' fp zjz1 g9mv, ', 'FP-ZJZ1G9MV'],
    ['“fp_zjz1g9mv”\u200b', 'FP-ZJZ1G9MV'],
    ['FP-ZJZ1G9MÉ', null],
    ['', null],
    ['#.', null],
    ['12345', null],
  ])('the order number %j is normalised to %j', (input, normalised) =>
    expect(normaliseOrderNumber(input)).toBe(normalised),
  )

  test('an order number is recognised in lower case, without its dash, and with O for 0 or l for 1', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), fc.boolean(), (randomBytes, isLowerCase, hasNoDash) => {
        const number = orderNumberFrom(randomBytes)
        const cased = isLowerCase ? number.toLowerCase() : number
        const mistyped = cased.replaceAll('0', 'O').replace(/1/g, 'l')
        expect(normaliseOrderNumber(hasNoDash ? mistyped.replace('-', '') : mistyped)).toBe(number)
      }),
    )
  })
})

describe('order states', () => {
  test.each<[OrderState, boolean, string | null]>([
    ['placed', false, null],
    [
      'placed',
      true,
      'The studio is putting this order together for the lab. Ask the studio if you need to change something',
    ],
    ['batched', false, null],
    [
      'batched',
      true,
      'The studio is putting this order together for the lab. Ask the studio if you need to change something',
    ],
    ['submitted', false, 'This order is already at the lab. Ask the studio if you need to change something'],
    ['inProduction', true, 'This order is already at the lab. Ask the studio if you need to change something'],
    ['shipped', false, 'This order is already at the lab. Ask the studio if you need to change something'],
    ['cancelled', true, 'This order was cancelled'],
  ])('an order in state %s (in a closed batch: %s) has the lock reason %s', (state, inClosedBatch, reason) =>
    expect(orderLockReason({ state, inClosedBatch })).toBe(reason),
  )

  test.each<[OrderState, OrderState, boolean]>([
    ['placed', 'batched', true],
    ['placed', 'submitted', true],
    ['batched', 'placed', false],
    ['submitted', 'cancelled', true],
    ['inProduction', 'cancelled', false],
    ['inProduction', 'shipped', true],
    ['shipped', 'cancelled', false],
    ['placed', 'shipped', false],
    ['placed', 'placed', false],
  ])('a change of an order from %s to %s is allowed: %s', (from, to, isAllowed) =>
    expect(canTransitionOrder(from, to)).toBe(isAllowed),
  )

  test('every state is reachable from placed, and an order never returns to an earlier state', () => {
    const statesAfter = (from: OrderState): OrderState[] =>
      orderTransitions[from].flatMap((next) => [next, ...statesAfter(next)])
    expect(new Set(['placed', ...statesAfter('placed')])).toEqual(new Set(orderStates))
    for (const state of orderStates) expect(statesAfter(state)).not.toContain(state)
  })
})
