import 'fake-indexeddb/auto'
import { act } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { lastRemoved, putBack, step, takeOut } from '#client/customer/cart/remove-with-undo.ts'
import { RemovedNotice } from '#client/customer/cart/undo-removal-notice.tsx'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { readCart } from '#local/cart.ts'
import { local, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { button, click, count, render } from '#support/rendering/render.tsx'
import { toastLog } from '#ui/toast/toast.ts'
import { addOn, noContent, packageOf, snapshotOf } from '../../../domain/cart/cart-fixtures.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const portrait = packageOf({ id: 100, name: 'Portrait' })
const frame = addOn(200, {})

const add = async (of: Package) => {
  const answer = await addLine(local, stamp, {
    ...key,
    snapshot: snapshotOf(of),
    subjectId: 7,
    personId: null,
    quantity: 1,
    content: noContent,
  })
  if (!answer.ok) throw new Error(answer.problem)
  return answer
}
const view = () => readCart(local, key.jobId, key.orderMethod)
const names = async () => (await view()).lines.map(({ line }) => line.snapshot.package.name)

beforeEach(async () => {
  await local.delete()
  await local.open()
  lastRemoved.set(null)
})

describe('taking a package out', () => {
  test('takes the add-ons it carried, says so, and can be undone under the same numbers', async () => {
    const { lineId, number } = await add(portrait)
    await add({ ...frame, name: 'Frame' })
    await takeOut(key, lineId)
    expect(await names()).toEqual([])

    render(<RemovedNotice cartKey={key} lineCount={0} afterwards="cart" />)
    expect(document.body.textContent).toContain('Portrait and Frame removed')
    expect(document.body.textContent).toContain('Frame left the cart too')
    expect(document.activeElement).toBe(button('Undo'))
    await act(async () => {
      click(button('Undo'))
      await putBackDone()
    })
    expect(await names()).toEqual(['Portrait', 'Frame'])
    expect((await view()).lines[0]?.number).toBe(number)
    expect(count('[role=status]')).toBe(0)
  })

  test('twice, before the first is seen, is once: its way back stays, and nothing is said to have failed', async () => {
    const { lineId } = await add(portrait)
    const before = toastLog.current().length
    expect(await Promise.all([takeOut(key, lineId), takeOut(key, lineId)])).toEqual([true, true])
    expect(lastRemoved.current()?.lines.map((line) => line.lineId)).toEqual([lineId])
    expect(toastLog.current()).toHaveLength(before)
    await putBack()
    expect(await names()).toEqual(['Portrait'])
  })

  test('puts back as many as there were after some steps', async () => {
    const { lineId } = await add(portrait)
    await Promise.all([step(key, lineId, 1), step(key, lineId, 1), step(key, lineId, 1), step(key, lineId, -1)])
    expect((await view()).packageCount).toBe(3)
    await takeOut(key, lineId)
    expect(await names()).toEqual([])
    await putBack()
    expect((await view()).packageCount).toBe(3)
  })

  test('of another event’s cart is not offered here', async () => {
    const { lineId } = await add(portrait)
    await takeOut(key, lineId)
    render(<RemovedNotice cartKey={{ ...key, jobId: 2 }} lineCount={0} afterwards="cart" />)
    expect(document.body.textContent).not.toContain('removed')
  })
})

/** Resolves when what was taken out last is back. */
const putBackDone = () =>
  new Promise<void>((resolve) => {
    const stop = lastRemoved.subscribe(() => {
      stop()
      resolve()
    })
  })
