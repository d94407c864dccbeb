import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'

const folder = fileURLToPath(new URL('../../../test-results/looks/', import.meta.url))
/** Pictures are for people: they are drawn where somebody will look at them (`LOOKS=1`, and in the long run). */
const takesScreenshots = process.env.LOOKS === '1' || process.env.LONG === '1'
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }

/** What axe finds serious or critical, one line for each place. */
const axeViolations = async (page: Page): Promise<string[]> => {
  const axe = new AxeBuilder({ page: page as never }) // its types are those of another release of Playwright
  // The other mode opens a page of its own for its sums, which takes the screen under test out of sight.
  const { violations } = await axe
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
}

/** Nothing is wider than the screen: a page that scrolls sideways is lost under a thumb. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The size of the screen's heading beside the size of headings everywhere. */
const headingSizes = (page: Page): Promise<[own: string[], everywhere: string]> =>
  page.evaluate(() => {
    const sizeOf = (heading: Element) => getComputedStyle(heading).fontSize
    const own = [...document.querySelectorAll('h1')].map(sizeOf)
    const plain = document.body.appendChild(document.createElement('h1'))
    const everywhere = sizeOf(plain)
    plain.remove()
    return [own, everywhere]
  })

const checkAtViewport = async (
  page: Page,
  name: string,
  viewport: { width: number; height: number },
): Promise<void> => {
  await page.setViewportSize(viewport)
  expect.soft(await overflow(page), `${name} scrolls sideways by`).toBe(0)
  if (!takesScreenshots) return
  // As tall as what there is to see, so that what is fixed to the foot of the screen is drawn at its foot; a dialog has its own height.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const isDialog = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0
  if (height > viewport.height && !isDialog) await page.setViewportSize({ ...viewport, height })
  await page.screenshot({ path: `${folder}${name}.png`, scale: 'css' })
}

const themes = ['light', 'dark'] as const

/** Both in the long run; else every other screen in the dark. */
const themesFor = (name: string): readonly (typeof themes)[number][] =>
  takesScreenshots ? themes : [Number.parseInt(name, 10) % 2 === 0 ? 'dark' : 'light']

/**
 * Holds the screen against axe in light and dark, against its width at both sizes, and, where it is asked for, draws it in each of the
 * four: `test-results/looks/<name>-<size>-<theme>.png`.
 */
export const checkScreen = async (page: Page, name: string): Promise<void> => {
  // Every screen says what it is, behind a dialog too; one whose chunk is on its way has said nothing yet.
  await expect.soft(page.locator('h1'), `${name} has one first heading`).toHaveCount(1)
  const [own, everywhere] = await headingSizes(page)
  expect.soft(own, `${name} has it in the size of all screens`).toEqual([everywhere])
  for (const theme of themesFor(name)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    for (const [size, viewport] of Object.entries({ desk, phone })) {
      await checkAtViewport(page, `${name}-${size}-${theme}`, viewport)
    }
    await page.setViewportSize(phone)
    expect.soft(await axeViolations(page), `${name}, ${theme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

const tablet = { width: 1024, height: 768 }
const staffViewports = { desk, tablet, upright: { width: 768, height: 1024 }, phone }

/** The same for a screen of staff's, at the sizes they work at, and with axe on a tablet in both themes. Leaves it on the tablet. */
export const checkStaffScreen = async (page: Page, name: string): Promise<void> => {
  await expect.soft(page.locator('h1'), `${name} has one first heading`).toHaveCount(1)
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    // A theme is no wider than the other.
    const sizes = takesScreenshots || theme === 'light' ? Object.entries(staffViewports) : []
    for (const [size, viewport] of sizes) await checkAtViewport(page, `${name}-${size}-${theme}`, viewport)
    await page.setViewportSize(tablet)
    expect.soft(await axeViolations(page), `${name}, ${theme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}
