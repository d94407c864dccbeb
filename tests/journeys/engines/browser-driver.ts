import type { RunInPage } from '#support/browser/offline-readiness.ts'
import type { ViewportSize } from '#support/browser/webkit-webdriver.ts'

export type Role = 'button' | 'link' | 'radio' | 'checkbox' | 'textbox' | 'combobox' | 'slider' | 'tab'
export type Key = 'Home' | 'PageUp' | 'Enter'
/** So many pixels to the right and down. */
export type DragOffset = { readonly x: number; readonly y: number }
export type TextMatch = string | RegExp

/**
 * What somebody does at a screen, whichever the browser: things are found by what they are and what they are called, and waited
 * for. A verb that does not succeed in time throws and says what was looked for.
 */
export type BrowserDriver = {
  goTo: (url: string) => Promise<void>
  /** Clicks what is the only one of its name, on the page or in the region named. */
  click: (role: Role, name: TextMatch, region?: TextMatch) => Promise<void>
  /** Puts a text into a field, in place of what is there. */
  type: (label: TextMatch, text: string) => Promise<void>
  /** Presses keys one after the other, wherever the focus is. */
  press: (keys: readonly Key[]) => Promise<void>
  /** Gives files of this machine to a field that takes some. */
  upload: (label: TextMatch, paths: readonly string[]) => Promise<void>
  /** Takes hold of a button in its middle and lets go of it so far away. */
  drag: (name: TextMatch, way: DragOffset) => Promise<void>
  /** Takes one of a list that drops down. */
  choose: (label: TextMatch, option: TextMatch) => Promise<void>
  /** Moves a slider by the keyboard. */
  slide: (label: TextMatch, keys: readonly Key[]) => Promise<void>
  /** Resolves once a field or a slider holds this value. */
  waitForValue: (role: 'textbox' | 'slider', label: TextMatch, value: string | RegExp) => Promise<void>
  /** Resolves once an alert says this and nothing else. */
  waitForAlert: (text: string) => Promise<void>
  /** Resolves once the text can be read on the page. */
  waitFor: (text: TextMatch) => Promise<void>
  /** All that can be read on the page now. */
  read: () => Promise<string>
  address: () => Promise<string>
  /** For what no parent can see: what lies on the device. */
  run: RunInPage
  /** The room the page has. */
  size: () => Promise<ViewportSize>
  close: () => Promise<void>
}

/** Whether a name or a text is the one meant: a string is the whole of it, an expression may be a part. */
export const isTextMatch = (wording: TextMatch, found: string): boolean => {
  const text = found.replace(/\s+/g, ' ').trim()
  return typeof wording === 'string' ? text === wording : wording.test(text)
}
