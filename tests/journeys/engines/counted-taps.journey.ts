import { expect, test } from '#support/journeys/journey-test.ts'
import { type Counts, countedFlows, countFlow } from './counted-taps-steps.ts'
import { otherEngines } from './other-engines.ts'
import { playwrightDriver } from './playwright-driver.ts'

const report = (where: string, { taps, fields, keys }: Counts): void =>
  void process.stdout.write(`     ${where}: ${taps} taps, ${fields} fields, ${keys} keys\n`)

for (const viewport of [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]) {
  const size = `${viewport.width}×${viewport.height}`
  for (const flow of countedFlows) {
    const { taps, fields } = flow.limits
    const title = `${flow.name} to a paid order at ${size} in at most ${taps} taps and ${fields} fields`
    const expectWithin = (where: string, counts: Counts): void => {
      report(`${flow.name}, ${size}, ${where}`, counts)
      expect(counts.taps).toBeLessThanOrEqual(taps)
      expect(counts.fields).toBeLessThanOrEqual(fields)
    }

    test.describe(() => {
      test.use({ viewport, hasTouch: true })
      test(title, async ({ context, product }) => {
        expectWithin('Chromium', await countFlow(await playwrightDriver(context), flow, product.url))
      })
    })

    // Needs browsers that are not always installed.
    if (process.env.LONG !== '1') continue
    for (const engine of otherEngines) {
      test(`${title}, in ${engine.name}`, async ({ product }) => {
        test.setTimeout(300_000)
        const driver = await engine.start(viewport)
        try {
          expect(await driver.size()).toEqual(viewport)
          expectWithin(engine.name, await countFlow(driver, flow, product.url))
        } finally {
          await driver.close()
        }
      })
    }
  }
}
