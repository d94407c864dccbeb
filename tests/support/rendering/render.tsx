import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, vi } from 'vitest'

// React warns about every change outside `act` unless this flag says that it is under test.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const mounted: { root: Root; box: HTMLElement }[] = []

/** Unmounts everything, as when a page is closed. */
export const cleanUp = (): void => {
  for (const { root, box } of mounted.splice(0)) {
    act(() => root.unmount())
    box.remove()
  }
}

afterEach(cleanUp)

/** Renders a component into the document; `again` rerenders it with other props. Unmounted after the test. */
export const render = (node: ReactNode) => {
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  mounted.push({ root, box })
  const again = (next: ReactNode) => act(() => root.render(next))
  again(node)
  return { box, again }
}

/** The only element in the document that matches; throws when there is none. */
export const getElement = <Wanted extends Element = HTMLElement>(selector: string): Wanted => {
  const found = document.querySelector<Wanted>(selector)
  if (!found) throw new Error(`nothing matches ${selector} in ${document.body.innerHTML}`)
  return found
}

/** The number of matching elements in the document. */
export const countElements = (selector: string): number => document.querySelectorAll(selector).length

/** The button with this label; throws when there is none. */
export const getButton = (words: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find(
    (each) => each.textContent?.trim() === words || each.getAttribute('aria-label') === words,
  )
  if (!found) throw new Error(`no button "${words}" in ${document.body.innerHTML}`)
  return found
}

/** Dispatches an event and waits until React has handled it. */
export const fire = (target: Element, event: Event) => act(() => target.dispatchEvent(event))

export const click = (target: HTMLElement) => act(() => target.click())

export const press = (key: string, target: Element = document.activeElement ?? document.body) =>
  fire(target, new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

export const pointer = (target: Element, type: string, more: PointerEventInit = {}) =>
  fire(target, new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'mouse', ...more }))

/** Types a whole value as the browser would: sets the value, moves the caret behind it, then dispatches the event. */
export const type = (control: HTMLInputElement | HTMLTextAreaElement, value: string, caret = value.length) =>
  act(() => {
    const prototype =
      control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    // React overrides `value` on the element itself; typing in a browser bypasses that, as the prototype's setter does.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
    if (control.selectionStart !== null) control.setSelectionRange(caret, caret)
    control.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })

/** Waits until `look` no longer throws and returns its result; what changes the page meanwhile comes by itself, outside `act`. */
export const waitForPage = async <Result,>(look: () => Result): Promise<Result> => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return await vi.waitFor(look).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}
