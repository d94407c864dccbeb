import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { logIn, refreshTokens } from '#contract/system/auth.ts'
import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'
import { hashPassword } from '#server/access/sign-in/hash-password.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { chosen } from '#support/seed.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { customerClient } from '../../discovery/customer-client.ts'
import { seedJobs } from '../../discovery/job-fixtures.ts'

const isLong = process.env.LONG === '1'
const guessers = isLong ? 120 : 24
const realGuessers = isLong ? 120 : 12
const hall = '203.0.113.7'
const email = 'staff@riverside.test'
const password = 'the right one, and long'

type Answer = { status: number; seconds: number }
type World = { app: FastifyInstance; now: () => number; wait: (milliseconds: number) => Promise<void> }
/** Makes guesses in sequence; `at` is the guesser's number. */
type Guesser = (world: World, at: number) => Promise<() => Promise<number>>

const guessCode = (parent: ReturnType<typeof customerClient>, code: string) =>
  parent.ask(redeemCode, { params: { slug: 'riverside' }, query: { code } })

const attacks: Record<string, Guesser> = {
  'sessions that guess codes': async ({ app }, at) => {
    const parent = customerClient(app, hall)
    await parent.ask(openSession, { body: {} })
    let guess = 0
    return async () => (await guessCode(parent, `S${at}X${guess++}`)).status
  },
  'requests without a session that guess codes': async ({ app }, at) => {
    let guess = 0
    return async () => (await guessCode(customerClient(app, hall), `N${at}X${guess++}`)).status
  },
  'wrong passwords for many accounts': async ({ app }, at) => {
    const body = { username: `nobody${at}@riverside.test`, password: 'a wrong one, and long' }
    return async () => (await customerClient(app, hall).ask(logIn, { body })).status
  },
  'wrong passwords for one account after the other': async ({ app }, at) => {
    let guess = 0
    return async () => {
      const body = { username: `nobody${at}x${guess++}@riverside.test`, password: 'a wrong one, and long' }
      return (await customerClient(app, hall).ask(logIn, { body })).status
    }
  },
  'wrong passwords for the account itself': async ({ app }) => {
    const body = { username: email, password: 'a wrong one, and long' }
    return async () => (await customerClient(app, hall).ask(logIn, { body })).status
  },
}

const begin = async (deps: Deps) => {
  const app = await testApp(deps)
  const { studioId } = await seedJobs(deps)
  const user = { email, name: 'Sam', role: 'staff', studio_id: studioId, password_hash: await hashPassword(password) }
  await deps.db
    .insertInto('users')
    .values(user as never)
    .execute() // as the studio's settings would
  return app
}

/** As many failures as exhaust an address's full speed. */
const exhaust = async ({ db, clock }: Deps, kind: 'code' | 'sign-in'): Promise<void> => {
  const row = { kind: 'address', key: `${kind} ${hall}`, failures: 601, window_started_at: clock() } as const
  await db.insertInto('guess_counters').values(row).execute()
}

const timed = async ({ now }: World, ask: () => Promise<{ status: number }>): Promise<Answer> => {
  const startedAt = now()
  const { status } = await ask()
  return { status, seconds: (now() - startedAt) / 1000 }
}

/** What rightful users experience at the same address meanwhile. */
const rightful = async (world: World) => {
  const staff = customerClient(world.app, hall)
  const signedIn = await timed(world, () => staff.ask(logIn, { body: { username: email, password } }))
  const fresh = await staff.ask(logIn, { body: { username: email, password } })
  const refreshed = await timed(world, () =>
    staff.ask(refreshTokens, { body: { refreshToken: fresh.data?.refreshToken } }),
  )
  const family = await timed(world, () => guessCode(customerClient(world.app, hall), 'SPRING'))
  const session = customerClient(world.app, hall)
  await session.ask(openSession, { body: {} })
  const familyWithSession = await timed(world, () => guessCode(session, 'SPRING'))
  return { signedIn, refreshed, family, familyWithSession }
}

describe.each(enginesFor(import.meta.filename))('guessing in parallel from a school’s address on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(chosen(Object.entries(attacks)))(
    `${guessers} guessers %s lock out no one`,
    async (name, attack) => {
      const time = virtualTime()
      const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.lines })
      const world: World = { app: await begin(deps), now: () => time.clock().getTime(), wait: time.wait }
      const ofCodes = name.includes('codes')
      await exhaust(deps, ofCodes ? 'code' : 'sign-in')
      let isOver = false
      let guesses = 0
      const guesser = (at: number) => async () => {
        const guess = await attack(world, at)
        while (!isOver) {
          await guess()
          guesses += 1
        }
        return undefined
      }
      const people = async () => {
        // In the middle of an attempt.
        await time.wait(21_300)
        const result = await rightful(world)
        isOver = true
        return result
      }
      const all = await time.together([...Array.from({ length: guessers }, (_, at) => guesser(at)), people])
      const told = all.at(-1)
      process.stdout.write(`  ${engine.name}, ${guessers} ${name}: ${JSON.stringify(told)}\n`)
      expect(told).toMatchObject({
        signedIn: { status: 200 },
        refreshed: { status: 200 },
        family: { status: 200 },
        familyWithSession: { status: 200 },
      })
      expect(told?.family.seconds).toBeLessThanOrEqual(ofCodes ? 5 : 1)
      expect(told?.familyWithSession.seconds).toBeLessThanOrEqual(ofCodes ? 5 : 1)
      // At the account itself each attempt takes two seconds, one at a time.
      expect(told?.signedIn.seconds).toBeLessThanOrEqual(name.includes('itself') ? 5 : 1)
      expect(told?.refreshed.seconds).toBeLessThanOrEqual(1)
      expect(guesses).toBeGreaterThan(5)
      // At most ten a second, whichever accounts they guess at, plus those waiting at the end.
      expect(guesses).toBeLessThan(10 * 25 + guessers)
    },
    300_000,
  )

  type Send = (path: string, body?: object, cookie?: string) => Promise<{ cookie: string }>
  const overHttp: Record<string, (send: Send, at: number) => Promise<(guess: number) => Promise<unknown>>> = {
    'sessions that guess codes': async (send, at) => {
      const { cookie } = await send('/customer/session', {})
      return (guess) => send(`/customer/studios/riverside/jobs?code=R${at}X${guess}`, undefined, cookie)
    },
    'wrong passwords for many accounts': async (send, at) => () =>
      send('/auth/login', { username: `nobody${at}@riverside.test`, password: 'a wrong one, and long' }),
    'wrong passwords for one account after the other': async (send, at) => (guess) =>
      send('/auth/login', { username: `nobody${at}x${guess}@riverside.test`, password: 'a wrong one, and long' }),
  }

  it.each(chosen(Object.entries(overHttp)))(
    `families and staff get in meanwhile, over HTTP and in real time, against ${realGuessers} guessers %s`,
    async (name, attack) => {
      const settings = readSettings({ NODE_ENV: 'test', TRUST_PROXY: '1' })
      let isOver = false
      // Once the rightful users are in, all waiting requests are released.
      const lines = new KeyedSemaphore((milliseconds, run) => setTimeout(run, isOver ? 0 : milliseconds))
      const wait = (milliseconds: number) => sleep(isOver ? 0 : milliseconds)
      const deps = testDeps(database(), { clock: () => new Date(), wait, semaphore: lines, settings })
      const app = await begin(deps)
      await exhaust(deps, 'code')
      await exhaust(deps, 'sign-in')
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo // it listens on TCP
      /** Each request comes from another port of the same address, as some proxies write it. */
      let request = 0
      const send = async (path: string, body?: object, cookie = '') => {
        request += 1
        const headers = {
          ...{ 'x-forwarded-for': `${hall}:${10_000 + request}`, cookie },
          ...(body && { 'content-type': 'application/json' }),
        }
        const startedAt = performance.now()
        const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
          ...{ method: body ? 'POST' : 'GET', headers },
          ...(body && { body: JSON.stringify(body) }),
        })
        const { data } = await answer.json()
        const [set = ''] = answer.headers.getSetCookie()
        const seconds = (performance.now() - startedAt) / 1000
        return { status: answer.status, seconds, data, cookie: set.split(';')[0] ?? '' }
      }
      const redeem = (code: string) => send(`/customer/studios/riverside/jobs?code=${code}`)
      const guesser = async (at: number) => {
        const guessOnce = await attack(send, at)
        for (let guess = 0; !isOver; guess += 1) await guessOnce(guess)
      }
      const guessing = Promise.all(Array.from({ length: realGuessers }, (_, at) => guesser(at)))
      // All but those that have their turn.
      await vi.waitUntil(() => lines.waiting >= realGuessers - 4, { timeout: 120_000, interval: 20 })
      const signIn = () => send('/auth/login', { username: email, password })
      const signedIn = [await signIn(), await signIn(), await signIn()]
      const refreshed = await send('/auth/refresh', { refreshToken: signedIn[0]?.data?.refreshToken })
      const families = [await redeem('SPRING'), await redeem('RAPIDS')]
      isOver = true
      await guessing
      const told = [...signedIn, refreshed, ...families].map(({ status, seconds }) => ({ status, seconds }))
      process.stdout.write(`  ${engine.name}, ${realGuessers} ${name} over HTTP: ${JSON.stringify(told)}\n`)
      expect(told.map(({ status }) => status)).toEqual(told.map(() => 200))
      // Each attempt of a guesser takes two seconds. On a busy machine, the fastest of ours is the meaningful one.
      const typical = isLong ? Math.max : Math.min
      expect(typical(...signedIn.map(({ seconds }) => seconds))).toBeLessThanOrEqual(1)
      expect(refreshed.seconds).toBeLessThanOrEqual(1)
      expect(Math.max(...families.map(({ seconds }) => seconds))).toBeLessThanOrEqual(5)
    },
    300_000,
  )
})
