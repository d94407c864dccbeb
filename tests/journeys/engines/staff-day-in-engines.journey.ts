import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smallCamera, writeCameraImages } from '#support/images/camera-images.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { otherEngines, tabletViewport } from './other-engines.ts'
import { staffDaySteps } from './staff-day-steps.ts'

// Runs only with LONG=1, because it needs browsers that are not always installed.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`Staff complete a day's work in ${engine.name}`, async ({ product }) => {
      const folder = await mkdtemp(join(tmpdir(), `fieldproof-${engine.name.replace(/\W/g, '')}-`))
      const listPath = join(folder, 'late.csv')
      // No subject is on two engines' lists.
      const rows = ['Lena', 'Hugo'].map((name) => `${name},${engine.name},${engine.name} ${name}`)
      await writeFile(listPath, ['First Name,Last Name,Student ID', ...rows].join('\r\n'))
      const names = [1, 2, 3].map((n) => `Ada Lovelace ${engine.name} ${n}.jpg`)
      // The image size differs by engine, because identical images would be duplicates.
      const camera = { ...smallCamera, ordinary: { width: 480 + engine.name.length, height: 320 } }
      const imagePaths = await writeCameraImages(folder, names, camera)
      const staff = await test.step('The browser starts', () => engine.start(tabletViewport))
      try {
        expect(await staff.size()).toEqual(tabletViewport)
        for (const step of staffDaySteps(product.url, { listPath, imagePaths }))
          await test.step(step.name, () => step.do(staff))
      } finally {
        await staff.close()
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
}
