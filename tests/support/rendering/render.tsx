import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, vi } from 'vitest'

// Without this flag React warns about each change inside `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const mountedRoots: { root: Root; box: HTMLElement }[] = []

/** Unmounts everything, as when a page is closed. */
export const cleanUp = (): void => {
  for (const { root, box } of mountedRoots.splice(0)) {
    act(() => root.unmount())
    box.remove()
  }
}

afterEach(cleanUp)

/** Renders a component into the document; `rerender` renders it again with other props. It is unmounted after the test. */
export const render = (node: ReactNode) => {
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  mountedRoots.push({ root, box })
  const rerender = (element: ReactNode) => act(() => root.render(element))
  rerender(node)
  return { box, rerender }
}

/** The only element in the document that matches; throws when there is none. */
export const getElement = <Type extends Element = HTMLElement>(selector: string): Type => {
  const element = document.querySelector<Type>(selector)
  if (!element) throw new Error(`nothing matches ${selector} in ${document.body.innerHTML}`)
  return element
}

/** The number of matching elements in the document. */
export const countElements = (selector: string): number => document.querySelectorAll(selector).length

/** The button with this label; throws when there is none. */
export const getButton = (label: string): HTMLButtonElement => {
  const button = [...document.querySelectorAll('button')].find(
    (candidate) => candidate.textContent?.trim() === label || candidate.getAttribute('aria-label') === label,
  )
  if (!button) throw new Error(`no button "${label}" in ${document.body.innerHTML}`)
  return button
}

/** Dispatches an event and waits until React has handled it. */
export const fire = (target: Element, event: Event) => act(() => target.dispatchEvent(event))

export const click = (target: HTMLElement) => act(() => target.click())

export const press = (key: string, target: Element = document.activeElement ?? document.body) =>
  fire(target, new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

export const pointer = (target: Element, type: string, init: PointerEventInit = {}) =>
  fire(target, new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'mouse', ...init }))

/** Types a complete value as the browser would: sets the value and the caret, then dispatches the event. */
export const type = (control: HTMLInputElement | HTMLTextAreaElement, value: string, caret = value.length) =>
  act(() => {
    const prototype =
      control instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    // React overrides `value` on the element. Typing in a browser bypasses that, as the prototype's setter does.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, value)
    if (control.selectionStart !== null) control.setSelectionRange(caret, caret)
    control.dispatchEvent(new InputEvent('input', { bubbles: true }))
  })

/** Waits until `read` no longer throws, and returns its result. Meanwhile React may update the page outside `act`. */
export const waitForPage = async <Result,>(read: () => Result): Promise<Result> => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  return await vi.waitFor(read).finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))
}
