import { describe, expect, it } from 'vitest'
import { manualReviewPartner } from '#server/adapters/partner-built-in.ts'
import type { Deps } from '#server/deps.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createStudioFixtures } from './studio-fixtures.ts'

const validAccount = { accountNumber: '4600100', password: 'partner-demo' }

describe.each(enginesFor(import.meta.filename))('verification by the partner on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (overrides: Partial<Deps> = {}) => {
    const deps = testDeps(database(), overrides)
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const request = (payload: object, headers: Record<string, string> = {}) =>
      studioFixtures.request('POST', '/request-verification', { payload, headers, as: 'staff' })
    return { deps, app, studioFixtures, request }
  }

  it('a verified studio is verified for its customers, too', async () => {
    const { app, studioFixtures, request } = await setUp()
    const { status, data } = await request({ ...validAccount, accountNumber: ' 4600100 ' })
    expect([status, data.isMillersVerified]).toEqual([200, true])
    expect(data.verification).toMatchObject({ accountNumber: '4600100', state: 'verified', reason: null })
    expect((await studioFixtures.request('GET')).data).toEqual(data)
    const customerStudio = await app.inject('/api/customer/studios/riverside')
    expect(customerStudio.json().data.isMillersVerified).toBe(true)
    expect(await studioFixtures.auditEntries()).toEqual([
      {
        action: 'studio.verification-asked',
        byStaff: true,
        detail: { accountNumber: '4600100', state: 'verified' },
      },
    ])
  })

  it('a wrong password and an unknown account get the same refusal', async () => {
    const { studioFixtures, request } = await setUp()
    const messages = ['The partner does not know this account number and password']
    for (const payload of [
      { ...validAccount, password: 'wrong' },
      { ...validAccount, accountNumber: '1' },
    ]) {
      const refused = await request(payload)
      expect([refused.status, refused.problem, refused.errors]).toEqual([422, 'refused', messages])
    }
    const { isMillersVerified, verification } = (await studioFixtures.request('GET')).data
    expect([isMillersVerified, verification.state, verification.reason]).toEqual([false, 'refused', messages[0]])
    expect((await request(validAccount)).data.isMillersVerified).toBe(true)
  })

  it('no password is needed if an administrator decides', async () => {
    const { studioFixtures, request } = await setUp({ partner: manualReviewPartner })
    expect((await studioFixtures.request('GET')).data.verifiedBy).toBe('administrator')
    for (const payload of [{ accountNumber: '77' }, validAccount]) {
      const { status, data } = await request(payload)
      expect([status, data.isMillersVerified, data.verification.state]).toEqual([200, false, 'waiting'])
    }
  })

  it('a password is required if the partner decides', async () => {
    const { studioFixtures, request } = await setUp()
    expect((await studioFixtures.request('GET')).data.verifiedBy).toBe('partner')
    const answer = await request({ accountNumber: '4600100' })
    expect([answer.status, answer.fields]).toEqual([422, { password: ['This field is required'] }])
    expect((await studioFixtures.request('GET')).data.verification).toBeNull()
  })

  it('a request waits for manual review and can be sent again', async () => {
    const { deps, request } = await setUp()
    const manualReviewAccount = { accountNumber: '4600900', password: 'x' }
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { data } = await request(manualReviewAccount)
      expect([data.isMillersVerified, data.verification.state]).toEqual([false, 'waiting'])
    }
    expect(await deps.db.selectFrom('verification_requests').select('state').execute()).toEqual([{ state: 'waiting' }])
    expect((await request(validAccount)).data.verification.state).toBe('verified')
  })

  it('a verified studio stays verified after another request', async () => {
    const { request } = await setUp()
    const { data } = await request(validAccount)
    expect(await request({ ...validAccount, password: 'wrong' })).toEqual({ status: 200, data })
  })

  it('an account verifies one studio only', async () => {
    const { deps, app, studioFixtures, request } = await setUp()
    const other = await createStudioFixtures(deps, app, 'summit')
    await request(validAccount)
    const otherAnswer = await other.request('POST', '/request-verification', { payload: validAccount })
    expect([otherAnswer.status, otherAnswer.errors]).toEqual([422, ['This account number belongs to another studio']])
    expect((await other.request('GET')).data).toMatchObject({
      isMillersVerified: false,
      verification: { state: 'refused' },
    })
    expect((await studioFixtures.request('GET')).data.isMillersVerified).toBe(true)
  })

  it('an unreachable partner is reported and nothing is stored', async () => {
    const { studioFixtures, request } = await setUp({
      partner: { decidedBy: 'partner' as const, verify: async () => ({ state: 'unreachable' }) },
    })
    const { status, errors } = await request(validAccount)
    expect([status, errors]).toEqual([422, ['The partner cannot be reached just now. Please try again in a moment']])
    expect((await studioFixtures.request('GET')).data.verification).toBeNull()
  })

  it("the partner's password is stored nowhere, not even hashed", async () => {
    const { deps, request } = await setUp()
    const passwords: string[] = []
    const { partner } = deps
    const password = 'a secret of the partner’s'
    const verify: Deps['partner']['verify'] = async (account) => {
      passwords.push(account.password)
      return await partner.verify(account)
    }
    Object.assign(deps, { partner: { verify } })
    await request({ ...validAccount, password }, { 'idempotency-key': 'one-key' })
    await request({ ...validAccount, password }, { 'idempotency-key': 'one-key' })
    expect(passwords).toEqual([password, password])
    const rows = await allRows(deps.db)
    expect(JSON.stringify([...rows])).not.toContain(password)
    expect(rows.get('idempotency_keys') ?? []).toEqual([])
  })

  it('after ten refusals each attempt takes two seconds', async () => {
    const { deps, request } = await setUp()
    for (let n = 0; n < 10; n += 1) await request({ ...validAccount, password: `guess ${n}` })
    const before = deps.clock().getTime()
    await request({ ...validAccount, password: 'the eleventh' })
    expect(deps.clock().getTime() - before).toBeGreaterThanOrEqual(2_000)
  })
})
