import { describe, expect, it } from 'vitest'
import { manualReviewPartner } from '#server/adapters/partner-manual-review.ts'
import type { Deps } from '#server/deps.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createStudioFixtures } from './studio-fixtures.ts'

const right = { accountNumber: '4600100', password: 'partner-demo' }

describe.each(enginesFor(import.meta.filename))('verification by the partner on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async (own: Partial<Deps> = {}) => {
    const deps = testDeps(database(), own)
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const request = (payload: object, headers: Record<string, string> = {}) =>
      studioFixtures.ask('POST', '/request-verification', { payload, headers, as: 'staff' })
    return { deps, app, office: studioFixtures, request }
  }

  it('a verified studio is verified for its customers, too', async () => {
    const { app, office: studioFixtures, request } = await begin()
    const { status, data } = await request({ ...right, accountNumber: ' 4600100 ' })
    expect([status, data.isMillersVerified]).toEqual([200, true])
    expect(data.verification).toMatchObject({ accountNumber: '4600100', state: 'verified', reason: null })
    expect((await studioFixtures.ask('GET')).data).toEqual(data)
    const customers = await app.inject('/api/customer/studios/riverside')
    expect(customers.json().data.isMillersVerified).toBe(true)
    expect(await studioFixtures.trail()).toEqual([
      {
        action: 'studio.verification-asked',
        mine: true,
        detail: { accountNumber: '4600100', state: 'verified' },
      },
    ])
  })

  it('a wrong password and an unknown account get the same refusal', async () => {
    const { office: studioFixtures, request } = await begin()
    const words = ['The partner does not know this account number and password']
    for (const payload of [
      { ...right, password: 'wrong' },
      { ...right, accountNumber: '1' },
    ]) {
      const refused = await request(payload)
      expect([refused.status, refused.problem, refused.errors]).toEqual([422, 'refused', words])
    }
    const { isMillersVerified, verification } = (await studioFixtures.ask('GET')).data
    expect([isMillersVerified, verification.state, verification.reason]).toEqual([false, 'refused', words[0]])
    expect((await request(right)).data.isMillersVerified).toBe(true)
  })

  it('no password is needed if an administrator decides', async () => {
    const { office: studioFixtures, request } = await begin({ partner: manualReviewPartner })
    expect((await studioFixtures.ask('GET')).data.verifiedBy).toBe('administrator')
    for (const payload of [{ accountNumber: '77' }, right]) {
      const { status, data } = await request(payload)
      expect([status, data.isMillersVerified, data.verification.state]).toEqual([200, false, 'waiting'])
    }
  })

  it('a password is required if the partner decides', async () => {
    const { office: studioFixtures, request } = await begin()
    expect((await studioFixtures.ask('GET')).data.verifiedBy).toBe('partner')
    const answer = await request({ accountNumber: '4600100' })
    expect([answer.status, answer.fields]).toEqual([422, { password: ['This field is required'] }])
    expect((await studioFixtures.ask('GET')).data.verification).toBeNull()
  })

  it('a request waits for manual review and can be sent again', async () => {
    const { deps, request } = await begin()
    const slow = { accountNumber: '4600900', password: 'x' }
    for (let time = 0; time < 2; time += 1) {
      const { data } = await request(slow)
      expect([data.isMillersVerified, data.verification.state]).toEqual([false, 'waiting'])
    }
    expect(await deps.db.selectFrom('verification_requests').select('state').execute()).toEqual([{ state: 'waiting' }])
    expect((await request(right)).data.verification.state).toBe('verified')
  })

  it('a verified studio stays verified after another request', async () => {
    const { request } = await begin()
    const { data } = await request(right)
    expect(await request({ ...right, password: 'wrong' })).toEqual({ status: 200, data })
  })

  it('an account verifies one studio only', async () => {
    const { deps, app, office: studioFixtures, request } = await begin()
    const other = await createStudioFixtures(deps, app, 'summit')
    await request(right)
    const late = await other.ask('POST', '/request-verification', { payload: right })
    expect([late.status, late.errors]).toEqual([422, ['This account number belongs to another studio']])
    expect((await other.ask('GET')).data).toMatchObject({
      isMillersVerified: false,
      verification: { state: 'refused' },
    })
    expect((await studioFixtures.ask('GET')).data.isMillersVerified).toBe(true)
  })

  it('an unreachable partner is reported and nothing is stored', async () => {
    const { office: studioFixtures, request } = await begin({
      partner: { decidedBy: 'partner' as const, verify: async () => ({ state: 'unreachable' }) },
    })
    const { status, errors } = await request(right)
    expect([status, errors]).toEqual([422, ['The partner cannot be reached just now. Please try again in a moment']])
    expect((await studioFixtures.ask('GET')).data.verification).toBeNull()
  })

  it("the partner's password is stored nowhere, not even hashed", async () => {
    const { deps, request } = await begin()
    const asked: string[] = []
    const { partner } = deps
    const password = 'a secret of the partner’s'
    const verify: Deps['partner']['verify'] = async (account) => {
      asked.push(account.password)
      return await partner.verify(account)
    }
    Object.assign(deps, { partner: { verify } })
    await request({ ...right, password }, { 'idempotency-key': 'one-key' })
    await request({ ...right, password }, { 'idempotency-key': 'one-key' })
    expect(asked).toEqual([password, password])
    const rows = await allRows(deps.db)
    expect(JSON.stringify([...rows])).not.toContain(password)
    expect(rows.get('idempotency_keys') ?? []).toEqual([])
  })

  it('after ten refusals each try takes two seconds', async () => {
    const { deps, request } = await begin()
    for (let time = 0; time < 10; time += 1) await request({ ...right, password: `guess ${time}` })
    const before = deps.clock().getTime()
    await request({ ...right, password: 'the eleventh' })
    expect(deps.clock().getTime() - before).toBeGreaterThanOrEqual(2_000)
  })
})
