import { expect, test } from 'vitest'
import {
  type Change,
  lineSnapshot,
  type MutationSnapshot,
  mutationVersion,
  serviceSnapshot,
  stampChange,
} from '#domain/cart/mutation.ts'
import { packageOf, snapshotOf } from './cart-fixtures.ts'
import { plainService, serviceSnapshotOf } from './order-service-fixtures.ts'

test('stamping a change adds an id, the current version and the time, and changes nothing else', () => {
  const change: Change = { do: 'line.quantity', lineId: 'a', quantity: 3 }
  const stamp = { now: () => '2027-04-01T10:00:00.000Z', newId: () => 'm1' }
  expect(stampChange(change, stamp)).toEqual({
    id: 'm1',
    v: mutationVersion,
    at: '2027-04-01T10:00:00.000Z',
    ...change,
  })
})

const [line, service] = [snapshotOf(packageOf()), serviceSnapshotOf(plainService)]

test.each<[string, MutationSnapshot | null, typeof line | null, typeof service | null]>([
  ['a line', line, line, null],
  ['a service', service, null, service],
  ['nothing', null, null, null],
])('a snapshot of %s is only returned as its own kind', (_name, made, ofLine, ofService) => {
  expect(lineSnapshot(made)).toBe(ofLine)
  expect(serviceSnapshot(made)).toBe(ofService)
})
