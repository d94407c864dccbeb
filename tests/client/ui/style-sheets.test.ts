// @vitest-environment node
import { globSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { printInk, printLight } from '#domain/printing/print-text.ts'
import { dialogFadeMs } from '#ui/dialog/dialog.tsx'
import { scrollLockClass } from '#ui/dialog/scroll-lock.ts'
import { loaderDelayMs } from '#ui/feedback/loader.tsx'

const uiFolder = new URL('../../../src/client/ui/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, uiFolder), 'utf8')
const sheets = globSync('**/*.css', { cwd: uiFolder.pathname }).filter((name) => name !== 'tokens.css')

test.each(sheets)('the style sheet %s takes its colours and durations from the tokens', (name) => {
  expect(read(name)).not.toMatch(/#[\da-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(|\d+m?s\b(?!-)/i)
})

test('the durations in tokens.css equal those in the code, and nothing fades with reduced motion', () => {
  const tokens = read('tokens.css')
  expect(tokens).toContain(`--motion: ${dialogFadeMs}ms`)
  expect(tokens).toContain(`--late: ${loaderDelayMs}ms`)
  expect(tokens).toMatch(/prefers-reduced-motion: reduce\)[^@]*--motion: 0ms/)
})

test('a dialog fades in the specified time, and the page behind does not scroll (section 4)', () => {
  const getRule = (sheet: string, selector: string) => sheet.split(`${selector} {`)[1]?.split('}')[0]
  for (const state of ['open', 'closed'])
    expect(getRule(read('dialog/dialog.module.css'), `.backdrop[data-state='${state}']`)).toContain('var(--motion)')
  expect(getRule(read('base.css'), `body.${scrollLockClass}`)).toContain('overflow: hidden')
})

test('texts on a print have the same ink colour as everything else on it', () => {
  const tokens = read('tokens.css')
  expect(tokens).toContain(`--print-ink: ${printInk};`)
  expect(tokens).toContain(`--print-paper: ${printLight};`)
})

test('tokens.css and base.css together are below 3 KiB compressed', () => {
  expect(gzipSync(read('tokens.css') + read('base.css')).length).toBeLessThan(3 * 1024)
})
