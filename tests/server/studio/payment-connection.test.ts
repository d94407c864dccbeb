import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { stripePayment } from '#server/payments/adapters/stripe/payment-stripe.ts'
import { stripeAccounts } from '#server/payments/adapters/stripe/stripe-accounts.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { createStudioFixtures } from './studio-fixtures.ts'

const stripe = await startFakeStripe()
const paymentAccounts = stripeAccounts({ ...stripe.settings, clientId: 'ca_fieldproof' })
afterAll(() => stripe.close())
afterEach(() => {
  stripe.behaviour.fault = () => 'none'
})

describe.each(enginesFor(import.meta.filename))("a studio's payment connection on $name", (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (provider: 'stripe' | 'test' | 'stripe without connecting' = 'stripe') => {
    const defaultDeps = testDeps(database())
    const byStripe = { payment: stripePayment(stripe.settings) }
    const providers = provider === 'test' ? {} : { ...byStripe, ...(provider === 'stripe' && { paymentAccounts }) }
    const deps = { ...defaultDeps, ...providers }
    const app = await testApp(deps)
    const studioFixtures = await createStudioFixtures(deps, app)
    const connect = (code: string, as: 'owner' | 'staff' = 'owner') =>
      studioFixtures.request('PATCH', `/stripe/connect?code=${code}`, { as })
    return { deps, app, studioFixtures, connect }
  }

  it("a new studio has no account and gets the URL of Stripe's page that redirects back here", async () => {
    const { studioFixtures } = await setUp()
    const { data } = await studioFixtures.request('GET', '/stripe')
    expect(data).toMatchObject({ provider: 'stripe', account: null, connectedAt: null })
    const page = new URL(data.connectAddress)
    expect(`${page.origin}${page.pathname}`).toBe(`${stripe.settings.apiUrl}/oauth/authorize`)
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: 'code',
      scope: 'read_write',
      client_id: 'ca_fieldproof',
      redirect_uri: 'https://fieldproof.test/api/payment-return',
    })
  })

  it("the URL is Stripe's own unless another API is configured", () => {
    const { apiUrl: _, ...settings } = stripe.settings
    const accounts = stripeAccounts({ ...settings, apiUrl: undefined, clientId: 'ca_x' })
    expect(accounts.connectAddress('https://a.test')).toMatch(/^https:\/\/connect\.stripe\.com\/oauth\/authorize\?/)
  })

  it("an account is connected by Stripe's code once, and can be disconnected", async () => {
    const { deps, studioFixtures, connect } = await setUp()
    stripe.codes.set('ac_one', 'acct_riverside')
    expect((await connect('ac_one')).data).toMatchObject({
      account: 'acct_riverside',
      connectedAt: deps.clock().toISOString(),
    })
    const secondConnection = await connect('ac_one')
    const messages = ['Stripe no longer accepts this answer. Please connect again']
    expect([secondConnection.status, secondConnection.errors]).toEqual([422, messages])
    expect((await studioFixtures.request('GET', '/stripe')).data.account).toBe('acct_riverside')
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await studioFixtures.request('PATCH', '/stripe/remove')).data).toMatchObject({
        account: null,
        connectedAt: null,
      })
    }
    expect((await studioFixtures.auditEntries()).map(({ action, detail }) => [action, detail])).toEqual([
      ['studio.payments-connected', { account: 'acct_riverside' }],
      ['studio.payments-removed', { account: 'acct_riverside' }],
    ])
  })

  it('wallets of a connected account appear on our domain, and an account that cannot have them is connected too', async () => {
    const { connect } = await setUp()
    const account = stripe.open('acct_wallets')
    stripe.codes.set('ac_wallets', 'acct_wallets').set('ac_without', 'acct_without')
    await connect('ac_wallets')
    expect([...account.domains]).toEqual(['fieldproof.test'])
    expect((await connect('ac_without')).data).toMatchObject({ account: 'acct_without' })
  })

  it('an account belongs to one studio only', async () => {
    const { deps, app, studioFixtures, connect } = await setUp()
    const other = await createStudioFixtures(deps, app, 'summit')
    stripe.codes.set('ac_one', 'acct_shared').set('ac_two', 'acct_shared')
    await connect('ac_one')
    const secondAnswer = await other.request('PATCH', '/stripe/connect?code=ac_two')
    expect([secondAnswer.status, secondAnswer.errors]).toEqual([422, ['This Stripe account belongs to another studio']])
    expect((await studioFixtures.request('GET', '/stripe')).data.account).toBe('acct_shared')
  })

  it('only owners see and change the connection', async () => {
    const { studioFixtures, connect } = await setUp()
    stripe.codes.set('ac_staff', 'acct_staff')
    const answers = [
      await studioFixtures.request('GET', '/stripe', { as: 'staff' }),
      await connect('ac_staff', 'staff'),
      await studioFixtures.request('PATCH', '/stripe/remove', { as: 'staff' }),
    ]
    expect(answers.map(({ status, problem }) => [status, problem])).toEqual(answers.map(() => [403, 'not-allowed']))
    expect(stripe.codes.has('ac_staff')).toBe(true)
  })

  it.each(['before', 'busy'] as const)('the response says that Stripe is unavailable (%s)', async (fault) => {
    const { studioFixtures, connect } = await setUp()
    stripe.codes.set('ac_away', 'acct_away')
    stripe.behaviour.fault = () => fault
    const { status, errors } = await connect('ac_away')
    expect([status, errors]).toEqual([422, ['Stripe can’t be reached right now. Please connect again in a moment']])
    expect((await studioFixtures.request('GET', '/stripe')).data.account).toBeNull()
  })

  it.each([
    ['test', 'Test payments need no connection: no real money is taken here'],
    ['stripe without connecting', 'Accounts cannot be connected on this platform yet'],
  ] as const)('the response says that no connection is needed or possible with %s', async (provider, message) => {
    const { studioFixtures, connect } = await setUp(provider)
    expect((await studioFixtures.request('GET', '/stripe')).data.connectAddress).toBeNull()
    const { status, errors } = await connect('ac_any')
    expect([status, errors]).toEqual([422, [message]])
  })

  it("Stripe redirects back to the studio's settings and nowhere else", async () => {
    const { app } = await setUp()
    const redirect = async (query: string) => {
      const { statusCode, headers } = await app.inject(`/api/payment-return?${query}`)
      return [statusCode, headers.location]
    }
    expect(await redirect('code=ac_1&state=7.abc')).toEqual([302, '/admin/studios/7/settings?code=ac_1&state=7.abc'])
    expect(await redirect('error=access_denied&state=7.abc')).toEqual([302, '/admin/studios/7/settings?state=7.abc'])
    expect(await redirect('code=ac_1&state=//evil.test')).toEqual([404, undefined])
    expect(await redirect('code=ac_1')).toEqual([404, undefined])
  })
})
