import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storedSecret } from '#server/stored-secret.ts'

describe('the secret of a server that was given none', () => {
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'fieldproof-secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return join(folder, 'data')
  }

  it('is made once for a data folder, and readable by its owner alone', () => {
    const folder = newFolder()
    const secret = storedSecret(folder)
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect(storedSecret(folder)).toBe(secret)
    expect(readdirSync(folder)).toEqual(['secret'])
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  })

  it('is another one in another folder', () => {
    expect(storedSecret(newFolder())).not.toBe(storedSecret(newFolder()))
  })
})
