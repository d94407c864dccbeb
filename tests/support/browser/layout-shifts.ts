import type { Page } from 'playwright'

/** Records the layout shifts of a page. An init script, so it must not refer to anything outside. */
export const recordLayoutShifts = (): void => {
  const shifts: number[] = []
  Object.assign(window, { shifts })
  const record = (list: PerformanceObserverEntryList) => {
    for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value) // a LayoutShift, which TypeScript does not know
  }
  new PerformanceObserver(record).observe({ type: 'layout-shift', buffered: true })
}

/** The sum of all layout shifts that `recordLayoutShifts` has recorded. */
export const totalLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0))
