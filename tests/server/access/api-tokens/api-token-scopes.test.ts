import { describe, expect, it, test } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import type { AnyCall } from '#contract/shapes/call.ts'
import { type ApiScope, apiScopes } from '#domain/developers/api-scopes.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { answerSummary, type CallClient, callApi, callNamesInSafeOrder } from '#tests/server/http/call-client.ts'
import { unreliablePayment } from '#tests/server/payments/checkout-driver.ts'
import { createOtherTenantFixtures, ownerPermissions } from '../authorization/other-tenant-fixtures.ts'
import type { CallName } from '../authorization/sample-calls.ts'
import { callsByScope } from './calls-by-scope.ts'

const scopeByCall = new Map(
  Object.entries(callsByScope).flatMap(([scope, names]) =>
    names.map((name) => [name, scope as keyof typeof callsByScope] as const),
  ),
)
const isStaffCall = (name: CallName): boolean => {
  const { who }: AnyCall = allCalls[name]
  return who === 'signed-in' || typeof who === 'object'
}
const neverAllowed = '403 not-allowed API tokens may not make this call'
const refusalFor = (scope: ApiScope): string => `403 not-allowed This token does not have the scope ${scope}`

test('every call of staff needs exactly one scope, or is closed to API tokens', () => {
  const names = callNamesInSafeOrder().filter(isStaffCall)
  expect([...scopeByCall.keys()].toSorted()).toEqual(names.toSorted())
})

test('accounts, users, tokens, webhooks, the payment account and the platform are closed to API tokens', () => {
  const closedPaths =
    /^\/api\/(account|admin)\b|\/(users|invitations|UserPreferences|tokens|webhooks|stripe|request-verification)\b/
  const closed = callNamesInSafeOrder().filter((name) => isStaffCall(name) && closedPaths.test(allCalls[name].path))
  expect(callsByScope.never).toEqual(expect.arrayContaining(closed))
})

describe.each(enginesFor(import.meta.filename))('API tokens and scopes on $name', { timeout: 240_000 }, (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const defaultDeps = testDeps(database())
    const { payment } = unreliablePayment(defaultDeps.payment)
    const deps = { ...defaultDeps, payment, jobs: { enqueue: async () => {} } }
    const app = await testApp(deps)
    const otherTenant = await createOtherTenantFixtures(deps, app)
    const { studioId, jobId, slug, userId, email } = otherTenant
    const owner = { id: userId, name: 'Olive', email, permissions: ownerPermissions, studioId }
    const { token } = await signToken(deps, owner)
    const createClient = async (scopes: readonly ApiScope[]): Promise<CallClient> => {
      const { data } = (
        await app.inject({
          method: 'POST',
          url: `/api/studioadmin/studios/${studioId}/tokens`,
          headers: { authorization: `Bearer ${token}` },
          payload: { name: scopes.join(' ').slice(0, 60), scopes, days: 30 },
        })
      ).json()
      return { headers: { authorization: `Bearer ${data.token}` }, scope: { studioId, jobId, slug } }
    }
    const summaryOf = async (name: CallName, client: CallClient): Promise<string> =>
      answerSummary((await callApi(app, name, { otherTenant, client })).answer)
    return { deps, createClient, summaryOf }
  }

  it('a token is refused where it lacks the scope of the call, also with all other scopes, and changes nothing', async () => {
    const { deps, createClient, summaryOf } = await setUp()
    const withAll = await createClient(apiScopes)
    const without = new Map<string, CallClient>()
    for (const scope of apiScopes) without.set(scope, await createClient(apiScopes.filter((other) => other !== scope)))
    const withoutUse = async () => {
      const { api_tokens: _, ...rows } = Object.fromEntries(await allRows(deps.db))
      return rows
    }
    const before = await withoutUse()
    for (const [name, scope] of scopeByCall) {
      const client = scope === 'never' ? withAll : (without.get(scope) ?? withAll)
      const expected = scope === 'never' ? neverAllowed : refusalFor(scope)
      expect.soft([name, await summaryOf(name, client)]).toEqual([name, expected])
    }
    expect(await withoutUse()).toEqual(before)
  })

  it('a token with only the scope of a call gets an answer other than a refusal', async () => {
    const { createClient, summaryOf } = await setUp()
    const clients = new Map<string, CallClient>()
    for (const scope of apiScopes) clients.set(scope, await createClient([scope]))
    for (const name of callNamesInSafeOrder()) {
      const client = clients.get(scopeByCall.get(name) ?? '')
      if (!client) continue
      expect
        .soft([name, await summaryOf(name, client)])
        .not.toEqual([name, expect.stringMatching(/^401|scope|API token/)])
    }
  })
})
