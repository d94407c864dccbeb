import { expect, test } from 'vitest'
import { whatComes } from '../../../src/client/customer/orders/what-comes.ts'
import { order } from './examples.ts'

test.each([
  ['placed', ['done', 'now', 'later']],
  ['batched', ['done', 'now', 'later']],
  ['submitted', ['done', 'now', 'later']],
  ['inProduction', ['done', 'now', 'later']],
  ['shipped', ['done', 'done', 'done']],
  ['cancelled', ['done', 'now']],
] as const)('an order that is %s', (state, steps) => {
  expect(whatComes({ ...order, state }).map((step) => step.state)).toEqual(steps)
})

test('it says where it goes, and only the dates that are known', () => {
  expect(whatComes(order).map(({ words, when }) => [words, when])).toEqual([
    ['Ordered', '04/01/2027'],
    ['Printed at the lab', null],
    ['Mailed to Lincoln', null],
  ])
  expect(whatComes({ ...order, shippingAddress: null }).at(-1)?.words).toBe('Handed out by the studio')
})
