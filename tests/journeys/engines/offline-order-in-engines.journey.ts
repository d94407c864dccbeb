import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { noFaults, refuseAll } from '#support/network/fault-plans.ts'
import { offlineOrderSteps } from './offline-order-steps.ts'
import { otherEngines } from './other-engines.ts'

// Runs only with LONG=1, because it needs browsers that are not always installed.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`A parent chooses packages offline in ${engine.name}, and everything is sent once`, async ({ site }) => {
      const { proxy } = site
      const driver = await test.step('The browser starts', () => engine.start())
      try {
        await driver.goTo(`${proxy.url}/riverside/code/ADALVL`)
        const network = {
          disconnect: () => proxy.setFaultPlan(refuseAll),
          reconnect: () => proxy.setFaultPlan(noFaults),
        }
        for (const step of offlineOrderSteps(network)) await test.step(step.name, () => step.do(driver))
        // These engines have no Background Sync, so a page sends each mutation.
        expect([...proxy.mutationDeliveries.values()].every((times) => times === 1)).toBe(true)
        const jobId = new URL(await driver.address()).pathname.split('/')[2]
        const path = `/api/customer/jobs/${jobId}/cart?orderMethod=gallery`
        const cart = await driver.run(async (url) => (await (await fetch(url)).json()).data, path)
        const lines = cart.cartPackages.map((line: { quantity: number }) => line.quantity)
        expect(lines).toEqual([1, 2])
      } finally {
        await driver.close()
      }
    })
  }
}
