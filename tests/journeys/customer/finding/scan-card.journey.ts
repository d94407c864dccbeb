import { chromiumArguments, findHeadlessShell } from '#support/browser/chromium.ts'
import { fakeCameraVideo } from '#support/browser/fake-camera-video.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

// The phone's camera shows Ada Lovelace's card.
const camera = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${fakeCameraVideo('https://fieldproof.test/riverside/code/ADALVL')}`,
]
test.use({
  permissions: ['camera'],
  launchOptions: { executablePath: findHeadlessShell(), args: [...chromiumArguments, ...camera] },
})

for (const address of ['/', '/riverside'])
  test(`On ${address}, a scanned card opens its child, and the decoder loads only after the tap`, async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (/assets\/scanning-(?!card).*\.js/.test(request.url())) scripts.push(request.url())
    })
    await page.goto(address)
    const scan = page.getByRole('button', { name: 'Scan my card' })
    await expect(scan).toBeVisible()
    expect(scripts).toEqual([])
    await scan.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
    expect(scripts).toHaveLength(1)
  })
