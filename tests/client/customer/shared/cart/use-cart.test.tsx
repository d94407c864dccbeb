import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { database, stamp } from '#platform/database.ts'
import { addLine } from '#support/device/add-line.ts'
import { render } from '#support/rendering/render.tsx'
import { noContent, packageOf, snapshotOf } from '#tests/domain/cart/cart-fixtures.ts'

const key = { jobId: 1, orderMethod: 'gallery' } as const
const add = (jobId = key.jobId) =>
  addLine(database, stamp, {
    ...key,
    jobId,
    ...{ subjectId: 7, personId: null },
    snapshot: snapshotOf(packageOf()),
    quantity: 1,
    content: noContent,
  })

const Count = ({ jobId = key.jobId }: { jobId?: number }) => (
  <i>{useCart(jobId, 'gallery')?.packageCount ?? 'unread'} </i>
)

const waitForText = async (text: string) => {
  // Live queries resolve outside `act`.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  await vi.waitFor(() => expect(document.body.textContent).toBe(text))
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
}

beforeEach(async () => {
  await database.delete()
  await database.open()
})

test('a cart is read once per change, however many subscribers it has', async () => {
  render(
    <>
      <Count />
      <Count />
      <Count />
    </>,
  )
  await waitForText('0 0 0 ')
  const read = vi.spyOn(database.carts, 'get')
  await add()
  await waitForText('1 1 1 ')
  // One read while the change is written, and one to show it.
  expect(read).toHaveBeenCalledTimes(2)
  read.mockRestore()
})

test('a later subscriber sees the current cart at once, and later changes', async () => {
  const { rerender } = render(<Count />)
  await add()
  await waitForText('1 ')
  rerender(
    <>
      <Count />
      <Count key="later" />
    </>,
  )
  expect(document.body.textContent).toBe('1 1 ')
  await add()
  await waitForText('2 2 ')
})

test('each cart has its own query, and one without subscribers is read again', async () => {
  const { rerender } = render(<Count />)
  await add()
  await waitForText('1 ')
  rerender(<Count key="other" jobId={2} />)
  await waitForText('0 ')
  await add()
  rerender(<Count key="first" />)
  expect(document.body.textContent).toBe('unread ')
  await waitForText('2 ')
})
