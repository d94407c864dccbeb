import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/shapes/call.ts'
import { permissionsOf } from '#server/access/authorization/role-permissions.ts'
import { allRows } from '#support/database/all-rows.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { openShop } from '../../carts/cart-fixtures.ts'
import { type Asker, ask, inOrder, said } from '../../http/call-client.ts'
import { badLine } from '../../payments/checkout-driver.ts'
import { makeTheirs } from './other-tenant-fixtures.ts'
import { type Caller, callers, type Door, matrix } from './permission-matrix.ts'
import { approaches, type CallName } from './sample-calls.ts'

const doors: Record<Exclude<Door, 'in'>, string> = {
  visit: '401 session-unknown This visit is no longer known here. Please enter the code again',
  'log in': '401 not-signed-in Please log in',
  no: '403 not-allowed You may not do this',
  there: '404 not-found We could not find this',
}
const doorSentences: readonly string[] = Object.values(doors)

/** What these are about is another thing by then: calls before them have changed the order. */
const isGone: readonly CallName[] = ['patchPrintedWords', 'orderMore']

const doorOf = (name: CallName, caller: Caller, heard: string): string => {
  // A guess is wrong whoever makes it; that is not the door's answer.
  const isOfInside = heard === approaches[name].inside || isGone.includes(name)
  return !doorSentences.includes(heard) || (matrix[name][caller] === 'in' && isOfInside) ? 'in' : heard
}

describe.each(enginesFor(import.meta.filename))('the matrix on $name', { timeout: 120_000 }, (engine) => {
  const database = freshDatabase(engine)

  const begin = async (caller: Caller) => {
    const plain = testDeps(database())
    const deps = { ...plain, payment: badLine(plain.payment).payment, jobs: { enqueue: async () => {} } }
    const app = await testApp(deps)
    const theirs = await makeTheirs(deps, app)
    const elsewhere = await openShop(deps, 'summit')
    const place = { studioId: theirs.studioId, jobId: theirs.jobId, slug: theirs.slug }
    const user = async (permissions: readonly Permission[], studioId: number | null): Promise<Asker> => {
      const who = { id: theirs.userId, name: 'Somebody', email: theirs.email, permissions, studioId }
      const { token } = await signToken(deps, who)
      return { headers: { authorization: `Bearer ${token}` }, place }
    }
    const makers: Record<Caller, () => Promise<Asker>> = {
      nobody: async () => ({ headers: {}, place }),
      customer: async () => ({ headers: theirs.visit.headers, place }),
      staff: () => user(permissionsOf.staff, theirs.studioId),
      owner: () => user(permissionsOf.owner, theirs.studioId),
      otherOwner: () => user(permissionsOf.owner, elsewhere.studioId),
      administrator: () => user(permissionsOf.administrator, null),
    }
    return { deps, app, theirs, by: await makers[caller]() }
  }

  it.each(callers)('is what %s is told by every call, and nothing is changed where it is no', async (caller) => {
    const { deps, app, theirs, by } = await begin(caller)
    const hear = async (name: CallName) => doorOf(name, caller, said((await ask(app, name, { theirs, by })).answer))
    const before = await allRows(deps.db)
    for (const name of inOrder()) {
      const door = matrix[name][caller]
      if (door !== 'in') expect.soft([name, await hear(name)]).toEqual([name, doors[door]])
    }
    expect(await allRows(deps.db)).toEqual(before)
    for (const name of inOrder()) {
      if (matrix[name][caller] === 'in') expect.soft([name, await hear(name)]).toEqual([name, 'in'])
    }
  })
})
