import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { click, countElements, getButton, getElement, pointer, press, render } from '#support/rendering/render.tsx'
import { confirm, confirmDefaults } from '#ui/dialog/confirm.ts'
import { ConfirmHost, NativeConfirm } from '#ui/dialog/confirm-host.tsx'
import { Dialog, defaultDialogSize, dialogFadeMs, dialogSizes } from '#ui/dialog/dialog.tsx'
import { lockScroll, scrollLockClass } from '#ui/dialog/scroll-lock.ts'

const isScrollLocked = () => document.body.classList.contains(scrollLockClass)
// Radix listens for outside presses only from the next task on, so that the opening press does not close the dialog.
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)))

const pressOutside = () => {
  const backdrop = getElement('[role="dialog"], [role="alertdialog"]').parentElement
  if (!backdrop) throw new Error('the dialog has no backdrop')
  pointer(backdrop, 'pointerdown', { button: 0 })
  pointer(backdrop, 'pointerup', { button: 0 })
  act(() => backdrop.click())
}

test('a dialog has the specified sizes and timing', () => {
  expect(dialogSizes).toEqual(['small', 'medium', 'large', 'xl'])
  expect(defaultDialogSize).toBe('medium')
  expect(dialogFadeMs).toBe(150)
})

test('an open dialog locks the page’s scrolling and injects no style', async () => {
  const createDialog = (open: boolean) => (
    <Dialog open={open} onClose={() => {}} title="Choose a background">
      Photos
    </Dialog>
  )
  const { rerender } = render(createDialog(true))
  await settle()
  expect(isScrollLocked()).toBe(true)
  expect(countElements('style')).toBe(0)
  expect(getElement('[role="dialog"]').getAttribute('aria-labelledby')).toBe(getElement('h2').id)
  rerender(createDialog(false))
  expect(isScrollLocked()).toBe(false)
  expect(countElements('[role="dialog"]')).toBe(0)
})

test.each([
  ['Escape', () => press('Escape')],
  ['a press outside', pressOutside],
])('%s closes the dialog, unless that is disabled', async (_, closeDialog) => {
  const onClose = vi.fn()
  const createDialog = (closable: boolean) => (
    <Dialog open onClose={onClose} closable={closable} title="Choose a background">
      <button type="button">Inside</button>
    </Dialog>
  )
  const { rerender } = render(createDialog(false))
  await settle()
  closeDialog()
  expect(onClose).not.toHaveBeenCalled()
  rerender(createDialog(true))
  closeDialog()
  expect(onClose).toHaveBeenCalledOnce()
})

test('the focus goes to the requested element, and returns when the dialog closes', async () => {
  const createDialog = (open: boolean) => (
    <>
      <button type="button">Opener</button>
      <Dialog open={open} onClose={() => {}} title="Title">
        <input data-first-focus="" />
      </Dialog>
    </>
  )
  const { rerender } = render(createDialog(false))
  getButton('Opener').focus()
  rerender(createDialog(true))
  await settle()
  expect(document.activeElement).toBe(getElement('input'))
  rerender(createDialog(false))
  await settle()
  expect(document.activeElement).toBe(getButton('Opener'))
})

test('the page scrolls only after both locks are released, and releasing one lock twice counts once', () => {
  const [releaseFirst, releaseSecond] = [lockScroll(), lockScroll()]
  releaseFirst()
  releaseFirst()
  expect(isScrollLocked()).toBe(true)
  releaseSecond()
  expect(isScrollLocked()).toBe(false)
})

const openPrompt = async (request: Parameters<typeof confirm>[0]) => {
  let answer: Promise<boolean> = Promise.resolve(false)
  await act(async () => {
    answer = confirm(request)
    await vi.dynamicImportSettled()
  })
  await settle()
  return { answer }
}

test('a prompt has the specified texts', () => {
  expect(confirmDefaults).toEqual({ type: 'confirm', cancelText: 'Cancel', confirmText: 'Confirm' })
})

test.each([
  ['true on confirm', () => click(getButton('Confirm')), true],
  ['false on cancel', () => click(getButton('Cancel')), false],
  ['false on close', () => click(getButton('Close')), false],
  ['false on Escape', () => press('Escape'), false],
  ['false on a press outside', pressOutside, false],
])('a prompt resolves %s', async (_, closeDialog, expected) => {
  render(<ConfirmHost />)
  const { answer } = await openPrompt({ title: 'Remove this package?' })
  closeDialog()
  expect(await answer).toBe(expected)
  expect(countElements('[role="alertdialog"]')).toBe(0)
})

test('an alert has no Cancel button', async () => {
  render(<ConfirmHost />)
  const { answer } = await openPrompt({ type: 'alert', title: 'Your code has expired', confirmText: 'OK' })
  expect([...document.querySelectorAll('footer button')].map((button) => button.textContent)).toEqual(['OK'])
  click(getButton('OK'))
  expect(await answer).toBe(true)
})

test.each([
  [{ title: 'Send the batch?' }, 'Confirm'],
  [{ title: 'Remove this package?', danger: true }, 'Cancel'],
  [{ title: 'Your code has expired', type: 'alert' }, 'Confirm'],
] as const)('a prompt with %j initially focuses %s', async (request, buttonText) => {
  render(<ConfirmHost />)
  await openPrompt(request)
  expect(document.activeElement?.textContent).toBe(buttonText)
  click(getButton('Confirm'))
})

test('concurrent prompts are queued', async () => {
  render(<ConfirmHost />)
  const first = await openPrompt({ title: 'First?' })
  const second = await openPrompt({ title: 'Second?' })
  expect(getElement('h2').textContent).toBe('First?')
  click(getButton('Confirm'))
  expect(getElement('h2').textContent).toBe('Second?')
  click(getButton('Cancel'))
  expect([await first.answer, await second.answer]).toEqual([true, false])
})

test.each([true, false])(
  'if the dialog cannot be loaded, the browser’s own prompt is used and its answer %s returned',
  (confirmed) => {
    const nativeConfirm = vi.fn(() => confirmed)
    vi.stubGlobal('confirm', nativeConfirm)
    const answer = vi.fn()
    render(
      <NativeConfirm open request={{ title: 'Remove this package?', message: 'The photo stays.' }} answer={answer} />,
    )
    expect(nativeConfirm).toHaveBeenCalledExactlyOnceWith('Remove this package?\n\nThe photo stays.')
    expect(answer).toHaveBeenCalledExactlyOnceWith(confirmed)
    vi.unstubAllGlobals()
  },
)
