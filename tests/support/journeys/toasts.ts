import { expect, type Locator, type Page } from 'playwright/test'

const toastRegion = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ })

/** The toast with a text. The same text is also in the hidden element that announces it, so the page has it twice. */
export const toastWithText = (page: Page, text: string): Locator => toastRegion(page).getByText(text)

/** Dismisses the toasts, which would cover a dialog's button. They stay while another page of the context has the focus. */
export const dismissToasts = async (page: Page): Promise<void> => {
  const dismissButtons = toastRegion(page).getByRole('button', { name: 'Dismiss' })
  // In the background animations do not run, and a toast is removed only after its animation.
  await page.bringToFront()
  await expect(async () => {
    // Clicked within the page: a toast may close by itself before it can be tapped.
    await dismissButtons.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click()
    })
    await expect(dismissButtons).toHaveCount(0, { timeout: 1_000 })
  }).toPass({ timeout: 15_000 })
}
