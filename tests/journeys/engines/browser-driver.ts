import type { RunInPage } from '#support/browser/offline-readiness.ts'
import type { ViewportSize } from '#support/browser/webkit-webdriver.ts'

export type Role = 'button' | 'link' | 'radio' | 'checkbox' | 'textbox' | 'combobox' | 'slider' | 'tab'
export type Key = 'Home' | 'PageUp' | 'Enter'
/** Pixels to the right and down. */
export type DragOffset = { readonly x: number; readonly y: number }
export type TextMatch = string | RegExp

/**
 * A user's actions in any browser engine. A method waits for its element, which it finds by role and accessible name. If it does not succeed
 * before its timeout, it throws an error that names the element.
 */
export type BrowserDriver = {
  goTo: (url: string) => Promise<void>
  /** Clicks the only element with this name, on the page or within the named region. */
  click: (role: Role, name: TextMatch, region?: TextMatch) => Promise<void>
  /** Replaces the text of a field. */
  type: (label: TextMatch, text: string) => Promise<void>
  /** Presses keys one after the other, at the focused element. */
  press: (keys: readonly Key[]) => Promise<void>
  /** Chooses local files in a file field. */
  upload: (label: TextMatch, paths: readonly string[]) => Promise<void>
  /** Drags a button from its center. */
  drag: (name: TextMatch, offset: DragOffset) => Promise<void>
  /** Selects an option of a drop-down list. */
  choose: (label: TextMatch, option: TextMatch) => Promise<void>
  /** Moves a slider by keys. */
  slide: (label: TextMatch, keys: readonly Key[]) => Promise<void>
  /** Resolves once a field or a slider has this value. */
  waitForValue: (role: 'textbox' | 'slider', label: TextMatch, value: string | RegExp) => Promise<void>
  /** Resolves once an alert shows exactly this text. */
  waitForAlert: (text: string) => Promise<void>
  /** Resolves once the page shows the text. */
  waitFor: (text: TextMatch) => Promise<void>
  /** The visible text of the page. */
  read: () => Promise<string>
  address: () => Promise<string>
  /** Runs a function in the page, for example to read the device's storage. */
  run: RunInPage
  /** The size of the viewport. */
  size: () => Promise<ViewportSize>
  close: () => Promise<void>
}

/** Whether a name or text matches: a string must equal it, a regular expression may match a part. */
export const isTextMatch = (expected: TextMatch, actual: string): boolean => {
  const text = actual.replace(/\s+/g, ' ').trim()
  return typeof expected === 'string' ? text === expected : expected.test(text)
}
