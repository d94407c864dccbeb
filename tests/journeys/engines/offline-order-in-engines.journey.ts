import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { noFaults, refuseAll } from '#support/network/fault-plans.ts'
import { offlineOrderSteps } from './offline-order-steps.ts'
import { otherEngines } from './other-engines.ts'

// Only in the long run, because it needs two more browsers.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`a parent chooses without a network in ${engine.name}, and all of it is sent once`, async ({ site }) => {
      const { proxy: line } = site
      const parent = await test.step('start the browser', () => engine.start())
      try {
        await parent.goTo(`${line.url}/riverside/code/ADALVL`)
        const network = { go: () => line.setFaultPlan(refuseAll), comeBack: () => line.setFaultPlan(noFaults) }
        for (const step of offlineOrderSteps(network)) await test.step(step.name, () => step.do(parent))
        // These engines have no Background Sync, so a page sends.
        expect([...line.mutationDeliveries.values()].every((times) => times === 1)).toBe(true)
        const jobId = new URL(await parent.address()).pathname.split('/')[2]
        const path = `/api/customer/jobs/${jobId}/cart?orderMethod=gallery`
        const cart = await parent.run(async (from) => (await (await fetch(from)).json()).data, path)
        const lines = cart.cartPackages.map((line: { quantity: number }) => line.quantity)
        expect(lines).toEqual([1, 2])
      } finally {
        await parent.close()
      }
    })
  }
}
