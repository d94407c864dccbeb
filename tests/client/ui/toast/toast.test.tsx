import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { countElements, getElement, render } from '#support/rendering/render.tsx'
import { FallbackToast } from '#ui/toast/fallback-toast.tsx'
import { type Toast, toast, toastError, toastSettings, toastText } from '#ui/toast/toast.ts'
import { ToastHost } from '#ui/toast/toast-host.tsx'

test('a toast has the specified settings', () => {
  expect(toastSettings).toEqual({
    autoClose: 5000,
    position: 'bottom-right',
    closeOnClick: true,
    pauseOnHover: true,
    pauseOnFocusLoss: true,
    hideProgressBar: true,
    limit: 20,
  })
})

test.each([
  [[], ''],
  [['Could not find this order'], 'Could not find this order'],
  [['One', 'Two'], 'Oops:\nOne\nTwo'],
])('the errors %j become the text %j', (errors, text) => {
  expect(toastText(errors)).toBe(text)
})

test('the live regions exist before the first toast, and the library is loaded with it', async () => {
  render(<ToastHost />)
  expect([countElements('[role="status"]'), countElements('[role="alert"]'), countElements('.Toastify')]).toEqual([
    1, 1, 0,
  ])

  await act(async () => {
    toast('Saved on this phone')
    await vi.dynamicImportSettled()
  })
  await vi.waitFor(() => expect(getElement('.Toastify__toast').textContent).toBe('Saved on this phone'))
  expect(getElement('[role="status"]').textContent).toBe('Saved on this phone')
  expect(getElement('[role="alert"]').textContent).toBe('')
  expect(getElement('.Toastify__toast-container').className).toContain('bottom-right')
  expect(getElement('.Toastify').getAttribute('aria-live')).toBe('off')
  expect(countElements('style')).toBe(0)

  await act(async () => toastError(['The name is taken', 'The date is in the past']))
  await vi.waitFor(() => expect(countElements('.Toastify__toast--error')).toBe(1))
  expect(getElement('[role="alert"]').textContent).toBe('Oops:\nThe name is taken\nThe date is in the past')
  expect(getElement('[role="status"]').textContent).toBe('')
})

test('a dismissed toast is removed when its animations are finished, even if they end without an event', async () => {
  const animation = Promise.withResolvers<Animation>()
  render(<ToastHost />)
  await act(async () => {
    toast('Published')
    await vi.dynamicImportSettled()
  })
  const shownToasts = () =>
    [...document.querySelectorAll('.Toastify__toast')].filter(({ textContent }) => textContent === 'Published')
  await vi.waitFor(() => expect(shownToasts()).toHaveLength(1))
  const [shownToast] = shownToasts()
  if (shownToast) shownToast.getAnimations = () => [{ finished: animation.promise } as Animation]
  await act(async () => shownToast?.querySelector('button')?.click())
  expect(shownToast?.getAttribute('data-in')).toBe('false')
  expect(shownToasts()).toHaveLength(1)
  await act(async () => animation.resolve({} as Animation))
  await vi.waitFor(() => expect(shownToasts()).toHaveLength(0))
})

test('an empty message shows no toast', () => {
  render(<ToastHost />)
  const textBefore = document.body.textContent
  act(() => toastError([]))
  expect(document.body.textContent).toBe(textBefore)
})

test('without the library the latest toast is shown for the specified time', async () => {
  vi.useFakeTimers()
  const createToast = (id: number, text: string): Toast => ({ id, text, tone: 'info' })
  const { box, rerender } = render(<FallbackToast log={[createToast(1, 'One')]} />)
  rerender(<FallbackToast log={[createToast(1, 'One'), createToast(2, 'Two')]} />)
  await act(() => vi.advanceTimersByTimeAsync(4999))
  expect(box.textContent).toBe('Two')
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(box.textContent).toBe('')
  vi.useRealTimers()
})
