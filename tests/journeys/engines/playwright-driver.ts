import type { BrowserContext } from 'playwright'
import { expect } from '#support/journeys/journey-test.ts'
import { type BrowserDriver, isTextMatch, type TextMatch } from './browser-driver.ts'

const timeout = 30_000

// Playwright matches a string regardless of case, so it becomes a regular expression.
const toRegExp = (text: TextMatch): RegExp =>
  typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text

/** A driver on Playwright. */
export const playwrightDriver = async (context: BrowserContext): Promise<BrowserDriver> => {
  context.setDefaultTimeout(timeout)
  const page = await context.newPage()
  const field = (name: TextMatch) =>
    (['searchbox', 'combobox', 'spinbutton'] as const).reduce(
      (locator, role) => locator.or(page.getByRole(role, { name, exact: true })),
      page
        .getByRole('textbox', { name, exact: true })
        .or(page.getByLabel(name, { exact: true }).and(page.locator('[type=password]'))),
    )
  return {
    goTo: async (url) => void (await page.goto(url)),
    click: (role, name, region) => {
      const scope = region ? page.getByRole('region', { name: region, exact: true }) : page
      return scope.getByRole(role, { name, exact: true }).click()
    },
    // Texts are typed key by key, because React does not notice a text that is set at once in Firefox over WebDriver
    // BiDi.
    type: async (label, text) => {
      await field(label).selectText()
      await field(label).pressSequentially(text)
    },
    press: async (keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    upload: (label, paths) => page.getByLabel(label).setInputFiles([...paths]),
    drag: async (name, { x, y }) => {
      const button = page.getByRole('button', { name, exact: true })
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      if (!box) throw new Error(`the button “${name}” has no bounding box`)
      const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      await page.mouse.move(center.x, center.y)
      await page.mouse.down()
      await page.mouse.move(center.x + x, center.y + y, { steps: 8 })
      await page.mouse.up()
    },
    choose: async (label, option) => {
      const list = page.getByRole('combobox', { name: label, exact: true })
      const labels = await list.locator('option').allTextContents()
      await list.selectOption(labels.find((text) => isTextMatch(option, text)) ?? String(option))
    },
    slide: async (label, keys) => {
      for (const key of keys) await page.getByRole('slider', { name: label, exact: true }).press(key)
    },
    waitForValue: (role, name, value) =>
      expect(role === 'textbox' ? field(name) : page.getByRole(role, { name, exact: true })).toHaveValue(value, {
        timeout,
      }),
    waitForAlert: (text) => expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText(text, { timeout }),
    waitFor: (text) => page.getByText(toRegExp(text)).filter({ visible: true }).first().waitFor(),
    read: () => page.locator('body').innerText(),
    address: async () => page.url(),
    run: (work, argument) => page.evaluate(work as never, argument) as never, // the page returns what `work` returns
    size: () => page.evaluate(() => ({ width: innerWidth, height: innerHeight })),
    close: () => context.close(),
  }
}
