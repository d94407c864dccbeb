import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Browser, Page } from 'playwright/test'
import { build, type Rolldown } from 'vite'
import type { SerializedChart } from './print-chart-page.tsx'

const entry = fileURLToPath(new URL('./print-chart-page.tsx', import.meta.url))
const site = 'http://prints.test'

type ServedFile = { body: Buffer; contentType: string }

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
}
const contentTypeOf = (name: string): string => contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** Bundles the product's print component into a separate page. Returns the files by path. */
const buildPage = async (): Promise<Map<string, ServedFile>> => {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { write: false, assetsInlineLimit: 0, rolldownOptions: { input: entry } },
  })
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput // a build that neither watches nor writes returns this
  const files = output.map((file): [string, ServedFile] => {
    const body = Buffer.from(file.type === 'chunk' ? file.code : file.source)
    return [`/${file.fileName}`, { body, contentType: contentTypeOf(file.fileName) }]
  })
  const names = files.map(([name]) => name)
  const head = names
    .map((name) => (name.endsWith('.css') ? `<link rel="stylesheet" href="${name}">` : ''))
    .concat(
      output.map((file) =>
        file.type === 'chunk' && file.isEntry ? `<script type="module" src="/${file.fileName}"></script>` : '',
      ),
    )
  const body = Buffer.from(`<!doctype html><html lang="en"><head>${head.join('')}</head><body></body></html>`)
  return new Map([['/', { body, contentType: 'text/html' }], ...files])
}

export type PrintPage = {
  page: Page
  /** Images that the page may fetch, by path. */
  images: Map<string, ServedFile>
  /** Draws a print with this many pixels, as PNG. */
  draw: (chart: SerializedChart, size: { width: number; height: number }) => Promise<Buffer>
}

/** Opens the page at a device scale factor of 1: one CSS pixel is one pixel of the screenshot. */
export const openPrintPage = async (browser: Browser): Promise<PrintPage> => {
  const files = await buildPage()
  const images = new Map<string, ServedFile>()
  const context = await browser.newContext({ deviceScaleFactor: 1, isMobile: false, hasTouch: false })
  await context.route(`${site}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const file = files.get(pathname) ?? images.get(pathname)
    await (file ? route.fulfill(file) : route.fulfill({ status: 404 }))
  })
  const page = await context.newPage()
  await page.goto(`${site}/`)
  const draw: PrintPage['draw'] = async (chart, size) => {
    await page.setViewportSize(size)
    await page.evaluate(
      ([serializedChart, widthPx]) =>
        (window as unknown as { draw: (chart: unknown, widthPx: number) => void }).draw(serializedChart, widthPx), // the page defines it
      [chart, size.width] as const,
    )
    await page.locator('svg path').nth(1).waitFor()
    await page.evaluate(async () => {
      const svgImages = [...document.querySelectorAll('image')] as unknown as HTMLImageElement[] // SVG images have decode(), but TypeScript's types lack it
      await Promise.all(svgImages.map((image) => image.decode()))
    })
    return await page.screenshot({ clip: { x: 0, y: 0, ...size } })
  }
  return { page, images, draw }
}
