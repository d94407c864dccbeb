import 'fake-indexeddb/auto'
import { act } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  lastRemoval,
  removeLineWithUndo,
  stepLineQuantity,
  undoLastRemoval,
} from '#client/customer/cart/remove-with-undo.ts'
import { UndoRemovalNotice } from '#client/customer/cart/undo-removal-notice.tsx'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { readCart } from '#local/cart.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { click, countElements, getButton, render } from '#support/rendering/render.tsx'
import { addOn, noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'
import { toastLog } from '#ui/toast/toast.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const portrait = packageOf({ id: 100, name: 'Portrait' })
const frame = addOn(200, {})

const add = async (addedPackage: Package) => {
  const result = await addLine(database, stamp, {
    ...key,
    snapshot: snapshotOf(addedPackage),
    subjectId: 7,
    personId: null,
    quantity: 1,
    content: noContent,
  })
  if (!result.ok) throw new Error(result.problem)
  return result
}
const view = () => readCart(database, key.jobId, key.orderMethod)
const names = async () => (await view()).lines.map(({ line }) => line.snapshot.package.name)

beforeEach(async () => {
  await database.delete()
  await database.open()
  lastRemoval.set(null)
})

describe('removing a package', () => {
  test('removes its add-ons, announces it, and can be undone with the same line numbers', async () => {
    const { lineId, number } = await add(portrait)
    await add({ ...frame, name: 'Frame' })
    await removeLineWithUndo(key, lineId)
    expect(await names()).toEqual([])

    render(<UndoRemovalNotice cartKey={key} lineCount={0} nextFocusId="cart" />)
    expect(document.body.textContent).toContain('Portrait and Frame removed')
    expect(document.body.textContent).toContain('Frame removed too')
    expect(document.activeElement).toBe(getButton('Undo'))
    await act(async () => {
      click(getButton('Undo'))
      await removalUndone()
    })
    expect(await names()).toEqual(['Portrait', 'Frame'])
    expect((await view()).lines[0]?.number).toBe(number)
    expect(countElements('[role=status]')).toBe(0)
  })

  test('twice at the same time removes it once, can be undone, and reports no error', async () => {
    const { lineId } = await add(portrait)
    const toastCount = toastLog.current().length
    expect(await Promise.all([removeLineWithUndo(key, lineId), removeLineWithUndo(key, lineId)])).toEqual([true, true])
    expect(lastRemoval.current()?.lines.map((line) => line.lineId)).toEqual([lineId])
    expect(toastLog.current()).toHaveLength(toastCount)
    await undoLastRemoval()
    expect(await names()).toEqual(['Portrait'])
  })

  test('can be undone with the last quantity after several steps', async () => {
    const { lineId } = await add(portrait)
    await Promise.all([
      stepLineQuantity(key, lineId, 1),
      stepLineQuantity(key, lineId, 1),
      stepLineQuantity(key, lineId, 1),
      stepLineQuantity(key, lineId, -1),
    ])
    expect((await view()).packageCount).toBe(3)
    await removeLineWithUndo(key, lineId)
    expect(await names()).toEqual([])
    await undoLastRemoval()
    expect((await view()).packageCount).toBe(3)
  })

  test('offers no undo in another job’s cart', async () => {
    const { lineId } = await add(portrait)
    await removeLineWithUndo(key, lineId)
    render(<UndoRemovalNotice cartKey={{ ...key, jobId: 2 }} lineCount={0} nextFocusId="cart" />)
    expect(document.body.textContent).not.toContain('removed')
  })
})

/** Resolves once the last removal is restored. */
const removalUndone = () =>
  new Promise<void>((resolve) => {
    const stop = lastRemoval.subscribe(() => {
      stop()
      resolve()
    })
  })
