import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { click, countElements, getButton, getElement, pointer, press, render } from '#support/rendering/render.tsx'
import { confirm, confirmDefaults } from '#ui/dialog/confirm.ts'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { defaultDialogSize, dialogFadeMs, dialogSizes } from '#ui/dialog/dialog-sizes.ts'
import { NativeConfirm } from '#ui/dialog/native-confirm.tsx'
import { lockScroll, scrollLockClass } from '#ui/dialog/scroll-lock.ts'

const locked = () => document.body.classList.contains(scrollLockClass)
// Radix starts to listen for outside presses in a separate task, so that the opening press does not close it.
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)))

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
  const draw = (open: boolean) => (
    <Dialog open={open} onClose={() => {}} title="Choose a background">
      Photos
    </Dialog>
  )
  const { again } = render(draw(true))
  await settled()
  expect(locked()).toBe(true)
  expect(countElements('style')).toBe(0)
  expect(getElement('[role="dialog"]').getAttribute('aria-labelledby')).toBe(getElement('h2').id)
  again(draw(false))
  expect(locked()).toBe(false)
  expect(countElements('[role="dialog"]')).toBe(0)
})

test.each([
  ['Escape', () => press('Escape')],
  ['a press outside', pressOutside],
])('%s closes the dialog, unless that is disabled', async (_, end) => {
  const onClose = vi.fn()
  const draw = (closable: boolean) => (
    <Dialog open onClose={onClose} closable={closable} title="Choose a background">
      <button type="button">Inside</button>
    </Dialog>
  )
  const { again } = render(draw(false))
  await settled()
  end()
  expect(onClose).not.toHaveBeenCalled()
  again(draw(true))
  end()
  expect(onClose).toHaveBeenCalledOnce()
})

test('the focus goes to the requested element, and returns when the dialog closes', async () => {
  const draw = (open: boolean) => (
    <>
      <button type="button">Opener</button>
      <Dialog open={open} onClose={() => {}} title="Title">
        <input data-first-focus="" />
      </Dialog>
    </>
  )
  const { again } = render(draw(false))
  getButton('Opener').focus()
  again(draw(true))
  await settled()
  expect(document.activeElement).toBe(getElement('input'))
  again(draw(false))
  await settled()
  expect(document.activeElement).toBe(getButton('Opener'))
})

test('the page is unlocked when the last of several locks is released, each once', () => {
  const [first, second] = [lockScroll(), lockScroll()]
  first()
  first()
  expect(locked()).toBe(true)
  second()
  expect(locked()).toBe(false)
})

const ask = async (request: Parameters<typeof confirm>[0]) => {
  let answer: Promise<boolean> = Promise.resolve(false)
  await act(async () => {
    answer = confirm(request)
    await vi.dynamicImportSettled()
  })
  await settled()
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
])('a prompt resolves %s', async (_, end, expected) => {
  render(<ConfirmHost />)
  const { answer } = await ask({ title: 'Remove this package?' })
  end()
  expect(await answer).toBe(expected)
  expect(countElements('[role="alertdialog"]')).toBe(0)
})

test('an alert has no Cancel button', async () => {
  render(<ConfirmHost />)
  const { answer } = await ask({ type: 'alert', title: 'Your code has expired', confirmText: 'OK' })
  expect([...document.querySelectorAll('footer button')].map((each) => each.textContent)).toEqual(['OK'])
  click(getButton('OK'))
  expect(await answer).toBe(true)
})

test.each([
  [{ title: 'Send the batch?' }, 'Confirm'],
  [{ title: 'Remove this package?', danger: true }, 'Cancel'],
  [{ title: 'Your code has expired', type: 'alert' }, 'Confirm'],
] as const)('a prompt with %j initially focuses %s', async (request, words) => {
  render(<ConfirmHost />)
  await ask(request)
  expect(document.activeElement?.textContent).toBe(words)
  click(getButton('Confirm'))
})

test('concurrent prompts are queued', async () => {
  render(<ConfirmHost />)
  const first = await ask({ title: 'First?' })
  const second = await ask({ title: 'Second?' })
  expect(getElement('h2').textContent).toBe('First?')
  click(getButton('Confirm'))
  expect(getElement('h2').textContent).toBe('Second?')
  click(getButton('Cancel'))
  expect([await first.answer, await second.answer]).toEqual([true, false])
})

test.each([true, false])('if the dialog cannot be loaded, the browser’s own prompt is used (%s)', (yes) => {
  const isOpen = vi.fn(() => yes)
  vi.stubGlobal('confirm', isOpen)
  const answer = vi.fn()
  render(
    <NativeConfirm open request={{ title: 'Remove this package?', message: 'The photo stays.' }} answer={answer} />,
  )
  expect(isOpen).toHaveBeenCalledExactlyOnceWith('Remove this package?\n\nThe photo stays.')
  expect(answer).toHaveBeenCalledExactlyOnceWith(yes)
  vi.unstubAllGlobals()
})
