import type { BrowserContext } from 'playwright'
import { expect } from '#support/journeys/journey-test.ts'
import { type BrowserDriver, isTextMatch, type TextMatch } from './browser-driver.ts'

const timeout = 30_000

// Playwright matches a string regardless of case, so it becomes a regular expression.
const exactly = (text: TextMatch): RegExp =>
  typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text

/** A driver on Playwright. */
export const playwrightDriver = async (context: BrowserContext): Promise<BrowserDriver> => {
  context.setDefaultTimeout(timeout)
  const page = await context.newPage()
  const field = (name: TextMatch) =>
    (['searchbox', 'combobox', 'spinbutton'] as const).reduce(
      (found, role) => found.or(page.getByRole(role, { name, exact: true })),
      page
        .getByRole('textbox', { name, exact: true })
        .or(page.getByLabel(name, { exact: true }).and(page.locator('[type=password]'))),
    )
  return {
    goTo: async (url) => void (await page.goto(url)),
    click: (role, name, region) => {
      const place = region ? page.getByRole('region', { name: region, exact: true }) : page
      return place.getByRole(role, { name, exact: true }).click()
    },
    // Key by key: Firefox is driven over WebDriver BiDi, where React does not see a text that is filled in at once.
    type: async (label, text) => {
      await field(label).selectText()
      await field(label).pressSequentially(text)
    },
    press: async (keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    upload: (label, paths) => page.getByLabel(label).setInputFiles([...paths]),
    drag: async (name, { x, y }) => {
      const held = page.getByRole('button', { name, exact: true })
      await held.scrollIntoViewIfNeeded()
      const box = await held.boundingBox()
      if (!box) throw new Error(`there is no button “${name}” to take hold of`)
      const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x + x, from.y + y, { steps: 8 })
      await page.mouse.up()
    },
    choose: async (label, wanted) => {
      const list = page.getByRole('combobox', { name: label, exact: true })
      const labels = await list.locator('option').allTextContents()
      await list.selectOption(labels.find((text) => isTextMatch(wanted, text)) ?? String(wanted))
    },
    slide: async (label, keys) => {
      for (const key of keys) await page.getByRole('slider', { name: label, exact: true }).press(key)
    },
    waitForValue: (role, name, value) =>
      expect(role === 'textbox' ? field(name) : page.getByRole(role, { name, exact: true })).toHaveValue(value, {
        timeout,
      }),
    waitForAlert: (text) => expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(text, { timeout }),
    waitFor: (text) => page.getByText(exactly(text)).filter({ visible: true }).first().waitFor(),
    read: () => page.locator('body').innerText(),
    address: async () => page.url(),
    run: (work, given) => page.evaluate(work as never, given) as never, // the page returns what `work` returns
    size: () => page.evaluate(() => ({ width: innerWidth, height: innerHeight })),
    close: () => context.close(),
  }
}
