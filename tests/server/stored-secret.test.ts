import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storedSecret } from '#server/stored-secret.ts'

describe('the stored secret of a server', () => {
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'fieldproof-secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return join(folder, 'data')
  }

  it('the secret is created once per data folder and is readable by its owner only', () => {
    const folder = newFolder()
    const secret = storedSecret(folder)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(storedSecret(folder)).toBe(secret)
    expect(readdirSync(folder)).toEqual(['secret'])
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  })

  it('another data folder gets another secret', () => {
    expect(storedSecret(newFolder())).not.toBe(storedSecret(newFolder()))
  })
})
