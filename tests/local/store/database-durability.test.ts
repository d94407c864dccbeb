import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { addLines } from '#local/cart.ts'
import { deviceStamp } from '#local/outbox/device-stamp.ts'
import { openLocalDatabase } from '#local/store/database.ts'
import { saveDraft } from '#local/store/drafts.ts'
import { noContent, packageOf, snapshotOf } from '../../domain/cart/cart-fixtures.ts'

it('a change is called saved once it is on the disk itself, not on its way there: a battery may be empty the next moment', async () => {
  const wished: unknown[] = []
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (names, mode, wish) {
    if (mode === 'readwrite') wished.push(wish?.durability)
    return transaction.call(this, names, mode, wish)
  }
  const db = openLocalDatabase('durable')
  const line = { snapshot: snapshotOf(packageOf()), subjectId: 7, personId: null, quantity: 1, content: noContent }
  expect(await addLines(db, deviceStamp, { jobId: 1, orderMethod: 'gallery', lines: [line] })).toMatchObject({
    ok: true,
  })
  await saveDraft(db, 'form', 'typed')
  IDBDatabase.prototype.transaction = transaction
  db.close()
  expect(wished.length).toBeGreaterThanOrEqual(2)
  expect(new Set(wished)).toEqual(new Set(['strict']))
})
