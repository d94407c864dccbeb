import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

type Picture = { src: string; sizes: string; type: string; purpose?: string; form_factor?: string; label?: string }
type Manifest = {
  id: string
  start_url: string
  scope: string
  display: string
  icons: Picture[]
  screenshots: Picture[]
  shortcuts: { name: string; url: string; icons: Picture[] }[]
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url))
const manifest: Manifest = JSON.parse(String(await read('public/manifest.webmanifest')))
const { icons, screenshots, shortcuts } = manifest
const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((one) => one.icons)]

describe('what a phone puts on its home screen', () => {
  test('is one app for good, whatever address it starts at', () => {
    expect(manifest).toMatchObject({ id: '/', scope: '/', display: 'standalone' })
    expect(new URL(manifest.start_url, 'https://example.test').searchParams.get('source')).toBe('installed')
  })

  test.each(['any', 'maskable'])('has icons that are %s, small and large', (purpose) => {
    const sizes = icons.filter((one) => one.purpose === purpose).map((one) => one.sizes)
    expect(sizes.sort()).toEqual(['192x192', '512x512'])
  })

  test('shows itself to phones and to desks before it is installed, and says what is seen', () => {
    expect(new Set(screenshots.map((one) => one.form_factor))).toEqual(new Set(['narrow', 'wide']))
    expect(screenshots.filter(({ label }) => !label)).toEqual([])
  })

  test('leads straight to the cart and to a code', () => {
    expect(shortcuts.map(({ name }) => name)).toEqual(['Your cart', 'Enter a code'])
  })

  test.each([...new Map(pictures.map((one) => [one.src, one])).values()])(
    '$src is there, as large as it says',
    async (picture) => {
      const path = `public${picture.src}`
      expect(existsSync(path)).toBe(true)
      const { width, height, format } = await sharp(await read(path)).metadata()
      expect([`${width}x${height}`, `image/${format}`]).toEqual([picture.sizes, picture.type])
    },
  )

  test('is named by every page', async () => {
    expect(String(await read('src/index.html'))).toContain('<link rel="manifest" href="/manifest.webmanifest">')
  })
})
