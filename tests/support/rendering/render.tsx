import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, vi } from 'vitest'

// React warns about every change outside `act` unless it knows that a test drives it.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const mounted: { root: Root; box: HTMLElement }[] = []

/** Takes away everything that was drawn, as when a page is left. */
export const cleanUp = (): void => {
  for (const { root, box } of mounted.splice(0)) {
    act(() => root.unmount())
    box.remove()
  }
}

afterEach(cleanUp)

/** Draws a component into the document; `again` draws it with other properties. It is taken away after the test. */
export const render = (node: ReactNode) => {
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  mounted.push({ root, box })
  const again = (next: ReactNode) => act(() => root.render(next))
  again(node)
  return { box, again }
}

/** The one element that matches, anywhere in the document; throws when there is none. */
export const getElement = <Wanted extends Element = HTMLElement>(selector: string): Wanted => {
  const found = document.querySelector<Wanted>(selector)
  if (!found) throw new Error(`nothing matches ${selector} in ${document.body.innerHTML}`)
  return found
}

/** How many elements match, anywhere in the document. */
export const countElements = (selector: string): number => document.querySelectorAll(selector).length

/** The button with these words; throws when there is none. */
export const getButton = (words: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find(
    (each) => each.textContent?.trim() === words || each.getAttribute('aria-label') === words,
  )
  if (!found) throw new Error(`no button "${words}" in ${document.body.innerHTML}`)
  return found
}

/** Sends an event and lets React finish what follows from it. */
export const fire = (target: Element, event: Event) => act(() => target.dispatchEvent(event))

export const click = (target: HTMLElement) => act(() => target.click())

export const press = (key: string, target: Element = document.activeElement ?? document.body) =>
  fire(target, new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

export const pointer = (target: Element, type: string, more: PointerEventInit = {}) =>
  fire(target, new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'mouse', ...more }))

/** Types a whole value as the browser would: the control has it, the caret stands behind it, then the page hears of it. */
export const type = (control: HTMLInputElement | HTMLTextAreaElement, value: string, caret = value.length) =>
  act(() => {
    const prototype =
      control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    // React watches its own property of the element; the browser's typing goes by the prototype's.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
    if (control.selectionStart !== null) control.setSelectionRange(caret, caret)
    control.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })

/** Waits until `look` no longer throws and returns its result; what changes the page meanwhile comes by itself, outside `act`. */
export const waitForPage = async <Result,>(look: () => Result): Promise<Result> => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return await vi.waitFor(look).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}
