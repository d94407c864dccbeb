import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testPayment } from '../../../src/server/adapters/payment-test.ts'
import { paymentContract } from './payment-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'fieldproof-payments-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const reopen = () => testPayment({ folder, newId: randomUUID })

paymentContract('the built-in provider', () => ({
  reopen,
  tokens: {
    pays: 'test_visa',
    declines: 'test_declined',
    insufficient: 'test_insufficient',
    authenticates: 'test_authenticate',
  },
}))

it('takes no name of an attempt for a path', async () => {
  await expect(reopen().find({ attemptId: '../../etc/passwd', account: null })).rejects.toThrow('UUID')
})
