import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'

const folder = fileURLToPath(new URL('../../../test-results/looks/', import.meta.url))
/** Screenshots are for reviewers, so they are taken only with `LOOKS=1` and in the long run. */
export const takesScreenshots = process.env.LOOKS === '1' || process.env.LONG === '1'
const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }

/** The serious and critical violations that axe finds, one line for each element. */
const axeViolations = async (page: Page): Promise<string[]> => {
  const axe = new AxeBuilder({ page: page as never }) // the types are of another release of Playwright
  // Axe's default mode opens another page, which hides the screen under test.
  const { violations } = await axe
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
}

/** Pixels by which the page is wider than the screen. A page must not scroll sideways. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The font sizes of first-level headings that differ from the default of a heading; `['none']` if there is no heading. */
const unusualHeadingSizes = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const sizeOf = (heading: Element) => getComputedStyle(heading).fontSize
    const sizes = [...document.querySelectorAll('h1')].map(sizeOf)
    const plainHeading = document.body.appendChild(document.createElement('h1'))
    const defaultSize = sizeOf(plainHeading)
    plainHeading.remove()
    return sizes.length === 0 ? ['none'] : sizes.filter((size) => size !== defaultSize)
  })

/** Every screen has one first-level heading, also behind a dialog. It is missing only while the screen's code or data loads. */
const expectOneHeading = async (page: Page, name: string): Promise<void> => {
  await expect.soft(page.locator('h1'), `${name}: there is one first-level heading`).toHaveCount(1)
  // Polled, because the screen may render again in between.
  await expect
    .configure({ soft: true })
    .poll(() => unusualHeadingSizes(page), { message: `${name}: the heading has the default size` })
    .toEqual([])
}

const checkAtViewport = async (
  page: Page,
  name: string,
  viewport: { width: number; height: number },
): Promise<void> => {
  await page.setViewportSize(viewport)
  expect.soft(await overflow(page), `${name}: pixels wider than the screen`).toBe(0)
  if (!takesScreenshots) return
  // The viewport grows to the height of the content, so that bars fixed to the bottom are drawn at the bottom. A dialog has its own height.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const isDialog = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0
  if (height > viewport.height && !isDialog) await page.setViewportSize({ ...viewport, height })
  await page.screenshot({ path: `${folder}${name}.png`, scale: 'css' })
}

const themes = ['light', 'dark'] as const

/** Both themes when screenshots are taken. Otherwise every second screen is checked in the dark theme, the others in the light one. */
const themesFor = (name: string): readonly (typeof themes)[number][] =>
  takesScreenshots ? themes : [Number.parseInt(name, 10) % 2 === 0 ? 'dark' : 'light']

/**
 * Checks the screen with axe, and its width at both sizes. With screenshots on, it does so in both themes and writes all four to
 * `test-results/looks/<name>-<size>-<theme>.png`.
 */
export const checkScreen = async (page: Page, name: string): Promise<void> => {
  await expectOneHeading(page, name)
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

/** Checks that a state of a screen fits the phone. With screenshots on, it stores one of each theme. */
export const checkScreenState = async (page: Page, name: string): Promise<void> => {
  for (const theme of themesFor(name)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await checkAtViewport(page, `${name}-phone-${theme}`, phone)
  }
  await page.setViewportSize(phone)
}

const tablet = { width: 1024, height: 768 }
const staffViewports = { desk, tablet, tabletPortrait: { width: 768, height: 1024 }, phone }

/** Checks a staff screen at the sizes staff use, with axe on a tablet. Leaves the page at the tablet's size. */
export const checkStaffScreen = async (page: Page, name: string): Promise<void> => {
  await expectOneHeading(page, name)
  for (const theme of themesFor(name)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    for (const [size, viewport] of Object.entries(staffViewports)) {
      await checkAtViewport(page, `${name}-${size}-${theme}`, viewport)
    }
    await page.setViewportSize(tablet)
    expect.soft(await axeViolations(page), `${name}, ${theme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}
