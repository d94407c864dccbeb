import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { createCartFixtures } from '../../carts/cart-fixtures.ts'
import { answerSummary, type CallClient, callApi, callNamesInSafeOrder } from '../../http/call-client.ts'
import { unreliablePayment } from '../../payments/checkout-driver.ts'
import { createOtherTenantFixtures } from './other-tenant-fixtures.ts'
import { type Caller, callers, type ExpectedAccess, permissionMatrix } from './permission-matrix.ts'
import { type CallName, sampleCalls } from './sample-calls.ts'

const doors: Record<Exclude<ExpectedAccess, 'in'>, string> = {
  visit: '401 session-unknown This visit is no longer known here. Please enter the code again',
  'log in': '401 not-signed-in Please log in',
  no: '403 not-allowed You may not do this',
  there: '404 not-found We could not find this',
}
const doorSentences: readonly string[] = Object.values(doors)

/** Their targets have changed by then: earlier calls changed the order. */
const isGone: readonly CallName[] = ['patchPrintedWords', 'orderMore']

const doorOf = (name: CallName, caller: Caller, heard: string): string => {
  // A guess is wrong whichever caller makes it; that says nothing about access.
  const isOfInside = heard === sampleCalls[name].inside || isGone.includes(name)
  return !doorSentences.includes(heard) || (permissionMatrix[name][caller] === 'in' && isOfInside) ? 'in' : heard
}

describe.each(enginesFor(import.meta.filename))('the permission matrix on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const begin = async (caller: Caller) => {
    const plain = testDeps(database())
    const deps = { ...plain, payment: unreliablePayment(plain.payment).payment, jobs: { enqueue: async () => {} } }
    const app = await testApp(deps)
    const theirs = await createOtherTenantFixtures(deps, app)
    const elsewhere = await createCartFixtures(deps, 'summit')
    const place = { studioId: theirs.studioId, jobId: theirs.jobId, slug: theirs.slug }
    const user = async (permissions: readonly Permission[], studioId: number | null): Promise<CallClient> => {
      const who = { id: theirs.userId, name: 'Somebody', email: theirs.email, permissions, studioId }
      const { token } = await signToken(deps, who)
      return { headers: { authorization: `Bearer ${token}` }, place }
    }
    const makers: Record<Caller, () => Promise<CallClient>> = {
      nobody: async () => ({ headers: {}, place }),
      customer: async () => ({ headers: theirs.visit.headers, place }),
      staff: () => user(permissionsOf.staff, theirs.studioId),
      owner: () => user(permissionsOf.owner, theirs.studioId),
      otherOwner: () => user(permissionsOf.owner, elsewhere.studioId),
      administrator: () => user(permissionsOf.administrator, null),
    }
    return { deps, app, theirs, by: await makers[caller]() }
  }

  it.each(callers)('every call answers %s as the matrix says, and a refused call changes nothing', async (caller) => {
    const { deps, app, theirs, by } = await begin(caller)
    const hear = async (name: CallName) =>
      doorOf(name, caller, answerSummary((await callApi(app, name, { theirs, by })).answer))
    const before = await allRows(deps.db)
    for (const name of callNamesInSafeOrder()) {
      const door = permissionMatrix[name][caller]
      if (door !== 'in') expect.soft([name, await hear(name)]).toEqual([name, doors[door]])
    }
    expect(await allRows(deps.db)).toEqual(before)
    for (const name of callNamesInSafeOrder()) {
      if (permissionMatrix[name][caller] === 'in') expect.soft([name, await hear(name)]).toEqual([name, 'in'])
    }
  })
})
