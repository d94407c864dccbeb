import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { addLines } from '#local/cart.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { saveDraft } from '#local/store/device-entries.ts'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

it('changes of the cart and drafts are written with strict durability', async () => {
  const requestedDurabilities: unknown[] = []
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (names, mode, options) {
    if (mode === 'readwrite') requestedDurabilities.push(options?.durability)
    return transaction.call(this, names, mode, options)
  }
  const db = openLocalDatabase('durable')
  const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 1, content: noContent }
  expect(await addLines(db, deviceStamp, { jobId: 1, orderMethod: 'gallery', lines: [line] })).toMatchObject({
    ok: true,
  })
  await saveDraft(db, 'form', 'typed')
  IDBDatabase.prototype.transaction = transaction
  db.close()
  expect(requestedDurabilities.length).toBeGreaterThanOrEqual(2)
  expect(new Set(requestedDurabilities)).toEqual(new Set(['strict']))
})
