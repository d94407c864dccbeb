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

test('stamping a change adds an id, the current version and the time, and leaves its other properties unchanged', () => {
  const change: Change = { do: 'line.quantity', lineId: 'a', quantity: 3 }
  const stamp = { now: () => '2027-04-01T10:00:00.000Z', newId: () => 'm1' }
  expect(stampChange(change, stamp)).toEqual({
    id: 'm1',
    v: mutationVersion,
    at: '2027-04-01T10:00:00.000Z',
    ...change,
  })
})

const ofLine = snapshotOf(packageOf())
const ofService = serviceSnapshotOf(plainService)

type SnapshotCase = [
  title: string,
  snapshot: MutationSnapshot | null,
  expectedLine: typeof ofLine | null,
  expectedService: typeof ofService | null,
]

test.each<SnapshotCase>([
  ['only lineSnapshot returns the snapshot of a line', ofLine, ofLine, null],
  ['only serviceSnapshot returns the snapshot of a service', ofService, null, ofService],
  ['lineSnapshot and serviceSnapshot return null for a mutation without a snapshot', null, null, null],
])('%s', (_title, snapshot, expectedLine, expectedService) => {
  expect(lineSnapshot(snapshot)).toBe(expectedLine)
  expect(serviceSnapshot(snapshot)).toBe(expectedService)
})
