import { expect, test } from '#support/journeys/journey-test.ts'
import type { BrowserDriver } from './browser-driver.ts'
import { customerOrderSteps, findOrder, orderNumberOnScreen, searchUnknownOrder } from './customer-order-steps.ts'
import { type BrowserEngine, otherEngines, phoneViewport } from './other-engines.ts'

/** Opens the home page in a new browser with a phone's viewport and empty storage. */
const freshBrowser = async (
  engine: BrowserEngine,
  url: string,
  visit: (parent: BrowserDriver) => Promise<void>,
): Promise<void> => {
  const parent = await test.step('start the browser', () => engine.start())
  try {
    expect(await parent.size()).toEqual(phoneViewport)
    await parent.goTo(`${url}/`)
    await visit(parent)
    expect(await parent.size()).toEqual(phoneViewport)
  } finally {
    await parent.close()
  }
}

// Only in the long run, because it needs two more browsers.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`a parent orders in ${engine.name}, and finds the order again`, async ({ product }) => {
      let orderNumber = ''
      await freshBrowser(engine, product.url, async (parent) => {
        for (const step of customerOrderSteps) await test.step(step.name, () => step.do(parent))
        orderNumber = await orderNumberOnScreen(parent)
        expect(await parent.address()).toMatch(new RegExp(`/order/${orderNumber}$`))
      })
      await freshBrowser(engine, product.url, async (parent) => {
        await test.step('a wrong number', () => searchUnknownOrder(parent))
        await test.step('the order again', () => findOrder(parent, orderNumber))
        expect(await orderNumberOnScreen(parent)).toBe(orderNumber)
      })
    })
  }
}
