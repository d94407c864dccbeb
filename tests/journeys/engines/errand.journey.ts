import { expect, test } from '../../support/journey.ts'
import { otherEngines } from './engines.ts'
import { errand, orderNumberOn } from './errand.ts'

// A part of the long tests only: it needs two more browsers.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`a parent orders in ${engine.name}`, async ({ product }) => {
      const parent = await test.step('start the browser', engine.start)
      try {
        await parent.goTo(`${product.url}/`)
        for (const step of errand) await test.step(step.name, () => step.do(parent))
        const orderNumber = await orderNumberOn(parent)
        expect(orderNumber).toBeDefined()
        expect(await parent.address()).toMatch(new RegExp(`/order/${orderNumber}$`))
      } finally {
        await parent.close()
      }
    })
  }
}
