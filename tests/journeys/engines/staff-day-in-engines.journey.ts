import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smallCamera, writeCameraImages } from '#support/images/camera-images.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { otherEngines, tabletViewport } from './other-engines.ts'
import { staffDaySteps } from './staff-day-steps.ts'

// A part of the long tests only: it needs two more browsers.
if (process.env.LONG === '1') {
  test.setTimeout(300_000)

  for (const engine of otherEngines) {
    test(`staff do a day's work in ${engine.name}`, async ({ product }) => {
      const folder = await mkdtemp(join(tmpdir(), `fieldproof-${engine.name.replace(/\W/g, '')}-`))
      const list = join(folder, 'late.csv')
      // Nobody of it is on another engine's list.
      const rows = ['Lena', 'Hugo'].map((name) => `${name},${engine.name},${engine.name} ${name}`)
      await writeFile(list, ['First Name,Last Name,Student ID', ...rows].join('\r\n'))
      const names = [1, 2, 3].map((n) => `Ada Lovelace ${engine.name} ${n}.jpg`)
      // Another roll for each, so that nobody's pictures are another's already.
      const camera = { ...smallCamera, ordinary: { width: 480 + engine.name.length, height: 320 } }
      const pictures = await writeCameraImages(folder, names, camera)
      const staff = await test.step('start the browser', () => engine.start(tabletViewport))
      try {
        expect(await staff.size()).toEqual(tabletViewport)
        for (const step of staffDaySteps(product.url, { list, images: pictures }))
          await test.step(step.name, () => step.do(staff))
      } finally {
        await staff.close()
        await rm(folder, { recursive: true, force: true })
      }
    })
  }
}
