import { expect, test } from '#support/journeys/journey-test.ts'
import type { Driver } from './browser-driver.ts'
import { errand, findOrder, missOrder, orderNumberOn } from './customer-order-steps.ts'
import { type Engine, otherEngines, phone } from './other-engines.ts'

/** At a browser of its own, which knows nothing of any other: the home page, on a phone. */
const freshBrowser = async (engine: Engine, url: string, visit: (parent: Driver) => Promise<void>): Promise<void> => {
  const parent = await test.step('start the browser', () => engine.start())
  try {
    expect(await parent.size()).toEqual(phone)
    await parent.goTo(`${url}/`)
    await visit(parent)
    expect(await parent.size()).toEqual(phone)
  } finally {
    await parent.close()
  }
}

// A part of the long tests only: it needs two more browsers.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`a parent orders in ${engine.name}, and finds the order again`, async ({ product }) => {
      let orderNumber = ''
      await freshBrowser(engine, product.url, async (parent) => {
        for (const step of errand) await test.step(step.name, () => step.do(parent))
        orderNumber = await orderNumberOn(parent)
        expect(await parent.address()).toMatch(new RegExp(`/order/${orderNumber}$`))
      })
      await freshBrowser(engine, product.url, async (parent) => {
        await test.step('a wrong number', () => missOrder(parent))
        await test.step('the order again', () => findOrder(parent, orderNumber))
        expect(await orderNumberOn(parent)).toBe(orderNumber)
      })
    })
  }
}
