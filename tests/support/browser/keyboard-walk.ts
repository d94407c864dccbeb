import { expect, type Locator, type Page } from 'playwright/test'

/** Marks what Tab should reach in the element, in the order of the document. Returns how many there are. */
const markTabStops = (root: Locator): Promise<number> =>
  root.evaluate((element) => {
    const isStop = (control: HTMLElement): boolean =>
      control.tabIndex >= 0 &&
      control.getClientRects().length > 0 &&
      // False in a closed `details`, whose content has a box.
      control.checkVisibility() &&
      !(control as HTMLButtonElement).disabled &&
      // Tab reaches one radio button of a group; arrow keys reach the others.
      !(control instanceof HTMLInputElement && control.type === 'radio' && !control.checked)
    const controls = [
      ...element.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]'),
    ]
    for (const control of element.querySelectorAll('[data-tab-stop]')) control.removeAttribute('data-tab-stop')
    const stops = controls.filter(isStop)
    for (const [index, stop] of stops.entries()) stop.dataset.tabStop = String(index)
    return stops.length
  })

type Focus = { stop: number; hasOutline: boolean; isOnScreen: boolean; name: string }

/** The focused element; its `stop` is NaN outside the marked ones. */
const focusOf = (page: Page): Promise<Focus> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement // a page has HTML elements only, and the body if none has the focus
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return {
      stop: Number.parseInt(element.dataset.tabStop ?? '', 10),
      hasOutline: outlineStyle !== 'none' && outlineWidth !== '0px',
      isOnScreen: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
      name: `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent ?? ''}`.slice(0, 60),
    }
  })

/** An input of a date and a time has several stops: its parts. */
const pressTab = async (page: Page, from: number): Promise<Focus> => {
  for (let part = 0; part < 10; part += 1) {
    await page.keyboard.press('Tab')
    const focus = await focusOf(page)
    if (focus.stop !== from) return focus
  }
  return focusOf(page)
}

const expectVisible = ({ stop, hasOutline, isOnScreen, name }: Focus, expectedStop: number, place: string): void =>
  expect({ stop, hasOutline, isOnScreen }, `${place}: ${name}`).toEqual({
    ...{ stop: expectedStop, hasOutline: true, isOnScreen: true },
  })

/**
 * Walks through the screen with Tab from its first control: every control is reached in the order of the document, on
 * the screen and with a visible focus. After the last one the focus leaves the screen, so there is no trap.
 */
export const walkScreen = async (page: Page, place: string): Promise<void> => {
  const screen = page.locator('main')
  const count = await markTabStops(screen)
  if (count === 0) return
  await screen.locator('[data-tab-stop="0"]').focus()
  for (let index = 0; index < count; index += 1) {
    expectVisible(await focusOf(page), index, place)
    await pressTab(page, index)
  }
  const { stop } = await focusOf(page)
  expect(stop, `${place}: the focus leaves the screen after ${count} controls`).toBeNaN()
}

/** Opens a dialog with Enter, walks through all its controls, and closes it with Escape: it traps and returns the focus. */
export const walkDialog = async (page: Page, opener: Locator, place: string): Promise<void> => {
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog, place).toBeVisible()
  const focused = dialog.locator(':focus').or(page.locator('[role="dialog"]:focus'))
  await expect(focused, `${place}: has the focus`).toBeVisible()
  const count = await markTabStops(dialog)
  // The dialog itself has the focus, or the field that it is about.
  let { stop } = await focusOf(page)
  for (let index = 0; index < count; index += 1) {
    const next = Number.isNaN(stop) ? 0 : (stop + 1) % count
    const focus = await pressTab(page, stop)
    expectVisible(focus, next, place)
    stop = focus.stop
    // The tooltip of the close button is removed when the focus moves on, and must not take the focus with it.
    if (stop === 0) await expect(page.getByRole('tooltip', { name: 'Close' }), place).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(dialog, place).toBeHidden()
  await expect(opener, `${place}: the focus returns`).toBeFocused()
}

/** Opens a menu, moves to its first item, and closes it with Escape. */
export const walkMenu = async (page: Page, opener: Locator, place: string): Promise<void> => {
  await opener.focus()
  await expect(opener, place).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').first(), place).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener, place).toBeFocused()
  await expect(opener, place).toHaveAttribute('aria-expanded', 'false')
}
