import { expect, test } from 'vitest'
import { deliverySteps } from '#client/customer/orders/delivery-info.ts'
import { order } from './order-examples.ts'

test.each([
  ['placed', ['done', 'now', 'later']],
  ['batched', ['done', 'now', 'later']],
  ['submitted', ['done', 'now', 'later']],
  ['inProduction', ['done', 'now', 'later']],
  ['shipped', ['done', 'done', 'done']],
  ['cancelled', ['done', 'now']],
] as const)('the progress of the delivery steps follows from the state of the order: %s', (state, steps) => {
  expect(deliverySteps({ ...order, state }).map((step) => step.state)).toEqual(steps)
})

test('the delivery shows its address and only known dates', () => {
  expect(deliverySteps(order).map(({ label, when }) => [label, when])).toEqual([
    ['Ordered', '04/01/2027'],
    ['Waiting to be printed', null],
    ['Shipped to Lincoln', null],
  ])
  expect(deliverySteps({ ...order, delivery: 'studio', shippingAddress: null }).at(-1)?.label).toBe(
    'Handed out by the studio',
  )
})

test.each([
  ['placed', 'Waiting to be printed'],
  ['batched', 'Waiting to be printed'],
  ['submitted', 'Printing'],
  ['inProduction', 'Printing'],
] as const)('an order is being printed once the lab has it: %s', (state, label) => {
  expect(deliverySteps({ ...order, state })[1]?.label).toBe(label)
})

test('the last step says when the order is expected, and where it is handed out', () => {
  const arrival = 'Arrives about 04/12–04/15'
  expect(deliverySteps({ ...order, arrival }).at(-1)?.when).toBe('Arrives about 04/12–04/15')
  const handedOut = 'Handed out at Lincoln Elementary about 04/12'
  expect(deliverySteps({ ...order, delivery: 'studio', shippingAddress: null, arrival: handedOut }).at(-1)).toEqual({
    label: 'Handed out at Lincoln Elementary about 04/12',
    when: null,
    state: 'later',
  })
})

test('an order of downloads alone is neither printed nor handed out', () => {
  const files = { ...order, delivery: 'download', shippingAddress: null } as const
  const stepLabels = (shownOrder: typeof order) => deliverySteps(shownOrder).map((step) => step.label)
  expect(stepLabels(files)).toEqual(['Ordered', 'Preparing your files', 'Ready to download'])
  expect(stepLabels({ ...files, orderMethod: 'prepay' })).toEqual([
    'Ordered',
    'Photos taken and chosen',
    'Ready to download',
  ])
})

test('an order of downloads alone is ready once its links exist, not before', () => {
  const files = { ...order, state: 'placed', delivery: 'download', shippingAddress: null } as const
  const link = { linkId: 'AAAAAAAAAAAAAAAAAAAAAA', kind: 'single', subjectName: 'Ada Lovelace' } as const
  const states = (downloads: (typeof link)[]) => deliverySteps({ ...files, downloads }).map((step) => step.state)
  expect(states([])).toEqual(['done', 'now', 'later'])
  expect(states([link])).toEqual(['done', 'done', 'done'])
  expect(deliverySteps({ ...order, downloads: [link] }).map((step) => step.state)).toEqual(['done', 'now', 'later'])
})
