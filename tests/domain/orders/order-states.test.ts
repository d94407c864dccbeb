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
  test('are FP- and eight characters of Crockford base 32', () => {
    expect(orderNumberFrom(new Uint8Array(8))).toBe('FP-00000000')
    expect(orderNumberFrom(Uint8Array.from([31, 18, 255, 33, 16, 9, 20, 27]))).toBe('FP-ZJZ1G9MV')
    fc.assert(
      fc.property(bytes, (random) => {
        expect(orderNumberFrom(random)).toMatch(/^FP-[0-9A-HJKMNP-TV-Z]{8}$/)
      }),
    )
  })

  test('order numbers ignore bytes beyond the eighth', () => {
    fc.assert(
      fc.property(bytes, fc.uint8Array({ maxLength: 8 }), (needed, more) => {
        expect(orderNumberFrom(Uint8Array.from([...needed, ...more]))).toBe(orderNumberFrom(needed))
      }),
    )
  })

  test('order numbers from fewer than eight bytes throw', () =>
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
  ])('%j is normalised to %j', (typed, number) => expect(normaliseOrderNumber(typed)).toBe(number))

  test('an order number is recognised however it is typed', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), fc.boolean(), (random, lower, dashless) => {
        const number = orderNumberFrom(random)
        const cased = lower ? number.toLowerCase() : number
        const mistyped = cased.replaceAll('0', 'O').replace(/1/g, 'l')
        expect(normaliseOrderNumber(dashless ? mistyped.replace('-', '') : mistyped)).toBe(number)
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
      'The studio is putting this order together for the lab. Ask the studio if something has to be changed',
    ],
    ['batched', false, null],
    [
      'batched',
      true,
      'The studio is putting this order together for the lab. Ask the studio if something has to be changed',
    ],
    ['submitted', false, 'This order is with the lab already. Ask the studio if something has to be changed'],
    ['inProduction', true, 'This order is with the lab already. Ask the studio if something has to be changed'],
    ['shipped', false, 'This order is with the lab already. Ask the studio if something has to be changed'],
    ['cancelled', true, 'This order was cancelled'],
  ])('%s, in a closed batch %s, is locked because: %s', (state, inClosedBatch, why) =>
    expect(orderLockReason({ state, inClosedBatch })).toBe(why),
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
  ])('%s to %s: %s', (from, to, may) => expect(canTransitionOrder(from, to)).toBe(may))

  test('every state is reachable from placed, and no state is reached again', () => {
    const beyond = (from: OrderState): OrderState[] => orderTransitions[from].flatMap((next) => [next, ...beyond(next)])
    expect(new Set(['placed', ...beyond('placed')])).toEqual(new Set(orderStates))
    for (const state of orderStates) expect(beyond(state)).not.toContain(state)
  })
})
