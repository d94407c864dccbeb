import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openSealedText, sealText } from '#server/access/two-factor/sealed-text.ts'
import { readSettings } from '#server/env.ts'

const settings = readSettings({ NODE_ENV: 'test', DATA_DIR: '/nowhere' })
const deps = { settings, randomBytes }

test('a sealed text opens for its owner only, and differs each time', () => {
  const sealed = sealText(deps, 'user 7', 'JBSWY3DPEHPK3PXP')
  expect(openSealedText(deps, 'user 7', sealed)).toBe('JBSWY3DPEHPK3PXP')
  expect(openSealedText(deps, 'user 8', sealed)).toBeUndefined()
  expect(sealText(deps, 'user 7', 'JBSWY3DPEHPK3PXP')).not.toBe(sealed)
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP')
})

test('a text that was changed, cut off or sealed with another secret does not open', () => {
  const sealed = sealText(deps, 'user 7', 'JBSWY3DPEHPK3PXP')
  const bytes = Buffer.from(sealed, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(openSealedText(deps, 'user 7', bytes.toString('base64url'))).toBeUndefined()
  expect(openSealedText(deps, 'user 7', sealed.slice(0, 20))).toBeUndefined()
  expect(openSealedText(deps, 'user 7', '')).toBeUndefined()
  const otherDeps = { settings: { ...settings, secret: 'another secret of this server' } }
  expect(openSealedText(otherDeps, 'user 7', sealed)).toBeUndefined()
})
