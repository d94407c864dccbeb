import { expect, test } from '#support/journeys/journey-test.ts'
import type { BrowserDriver } from './browser-driver.ts'
import { customerOrderSteps, findOrder, orderNumberOnScreen, searchUnknownOrder } from './customer-order-steps.ts'
import { type BrowserEngine, otherEngines, phoneViewport } from './other-engines.ts'

/** Opens the home page in a new browser, with a phone's viewport and empty storage, runs the steps and closes it. */
const withNewBrowser = async (
  engine: BrowserEngine,
  url: string,
  steps: (driver: BrowserDriver) => Promise<void>,
): Promise<void> => {
  const driver = await test.step('The browser starts', () => engine.start())
  try {
    expect(await driver.size()).toEqual(phoneViewport)
    await driver.goTo(`${url}/`)
    await steps(driver)
    expect(await driver.size()).toEqual(phoneViewport)
  } finally {
    await driver.close()
  }
}

// Runs only with LONG=1, because it needs browsers that are not always installed.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`A parent orders in ${engine.name}, and finds the order in a new browser`, async ({ product }) => {
      let orderNumber = ''
      await withNewBrowser(engine, product.url, async (driver) => {
        for (const step of customerOrderSteps) await test.step(step.name, () => step.do(driver))
        orderNumber = await orderNumberOnScreen(driver)
        expect(await driver.address()).toMatch(new RegExp(`/order/${orderNumber}$`))
      })
      await withNewBrowser(engine, product.url, async (driver) => {
        await test.step('An unknown order number shows a toast and an empty form', () => searchUnknownOrder(driver))
        await test.step('The parent finds the order by its number', () => findOrder(driver, orderNumber))
        expect(await orderNumberOnScreen(driver)).toBe(orderNumber)
      })
    })
  }
}
