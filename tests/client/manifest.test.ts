import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

type ManifestImage = {
  src: string
  sizes: string
  type: string
  purpose?: string
  form_factor?: string
  label?: string
}
type Manifest = {
  id: string
  start_url: string
  scope: string
  display: string
  icons: ManifestImage[]
  screenshots: ManifestImage[]
  shortcuts: { name: string; url: string; icons: ManifestImage[] }[]
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url))
const manifest: Manifest = JSON.parse(String(await read('public/manifest.webmanifest')))
const { icons, screenshots, shortcuts } = manifest
const manifestImages = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)]

describe('the web app manifest', () => {
  test('has a fixed id and scope, and a start URL that marks the installed app', () => {
    expect(manifest).toMatchObject({ id: '/', scope: '/', display: 'standalone' })
    expect(new URL(manifest.start_url, 'https://example.test').searchParams.get('source')).toBe('installed')
  })

  test.each(['any', 'maskable'])('has a small and a large icon with the purpose “%s”', (purpose) => {
    const sizes = icons.filter((icon) => icon.purpose === purpose).map((icon) => icon.sizes)
    expect(sizes.sort()).toEqual(['192x192', '512x512'])
  })

  test('has labelled screenshots for phones and for desktop screens', () => {
    expect(new Set(screenshots.map((screenshot) => screenshot.form_factor))).toEqual(new Set(['narrow', 'wide']))
    expect(screenshots.filter(({ label }) => !label)).toEqual([])
  })

  test('has shortcuts to the cart and to entering a code', () => {
    expect(shortcuts.map(({ name }) => name)).toEqual(['Your cart', 'Enter a code'])
  })

  test.each([...new Map(manifestImages.map((image) => [image.src, image])).values()])(
    'the file $src exists and has the size and type that the manifest declares',
    async (image) => {
      const path = `public${image.src}`
      expect(existsSync(path)).toBe(true)
      const { width, height, format } = await sharp(await read(path)).metadata()
      expect([`${width}x${height}`, `image/${format}`]).toEqual([image.sizes, image.type])
    },
  )

  test('is linked from the HTML of the page', async () => {
    expect(String(await read('src/index.html'))).toContain('<link rel="manifest" href="/manifest.webmanifest">')
  })
})
