import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { openSession, redeemCode } from '#contract/customer/session-calls.ts'
import { logIn, refreshTokens } from '#contract/system/auth.ts'
import { KeyedSemaphore } from '#server/access/brute-force/keyed-semaphore.ts'
import { hashPassword } from '#server/access/credentials/verify-password.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { casesOfRun } from '#support/seed.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { virtualTime } from '#support/server/virtual-time.ts'
import { customerClient } from '#tests/server/discovery/customer-client.ts'
import { seedJobs } from '#tests/server/discovery/job-fixtures.ts'

const isLong = process.env.LONG === '1'
const guessers = isLong ? 120 : 24
const realGuessers = isLong ? 120 : 12
const schoolAddress = '203.0.113.7'
const email = 'staff@riverside.test'
const password = 'the right one, and long'

type Answer = { status: number; seconds: number }
type TestServer = { app: FastifyInstance; now: () => number; wait: (milliseconds: number) => Promise<void> }
/** Returns a function that makes one guess and resolves to its status; `index` is the guesser's number. */
type Guesser = (server: TestServer, index: number) => Promise<() => Promise<number>>

const guessCode = (customer: ReturnType<typeof customerClient>, code: string) =>
  customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })

const attacks: Record<string, Guesser> = {
  'sessions that guess codes': async ({ app }, index) => {
    const customer = customerClient(app, schoolAddress)
    await customer.request(openSession, { body: {} })
    let guess = 0
    return async () => (await guessCode(customer, `S${index}X${guess++}`)).status
  },
  'requests without a session that guess codes': async ({ app }, index) => {
    let guess = 0
    return async () => (await guessCode(customerClient(app, schoolAddress), `N${index}X${guess++}`)).status
  },
  'wrong passwords for many accounts': async ({ app }, index) => {
    const body = { username: `nobody${index}@riverside.test`, password: 'a wrong one, and long' }
    return async () => (await customerClient(app, schoolAddress).request(logIn, { body })).status
  },
  'wrong passwords for one account after the other': async ({ app }, index) => {
    let guess = 0
    return async () => {
      const body = { username: `nobody${index}x${guess++}@riverside.test`, password: 'a wrong one, and long' }
      return (await customerClient(app, schoolAddress).request(logIn, { body })).status
    }
  },
  'wrong passwords for the account itself': async ({ app }) => {
    const body = { username: email, password: 'a wrong one, and long' }
    return async () => (await customerClient(app, schoolAddress).request(logIn, { body })).status
  },
}

const setUp = async (deps: Deps) => {
  const app = await testApp(deps)
  const { studioId } = await seedJobs(deps)
  const password_hash = await hashPassword(password)
  const user = { email, name: 'Sam', role: 'staff', studio_id: studioId, password_hash } as const
  await deps.db.insertInto('users').values(user).execute()
  return app
}

/** Records enough failures to reach the limit of the address. */
const exhaust = async ({ db, clock }: Deps, kind: 'code' | 'sign-in'): Promise<void> => {
  const row = { kind: 'address', key: `${kind} ${schoolAddress}`, failures: 601, window_started_at: clock() } as const
  await db.insertInto('guess_counters').values(row).execute()
}

const timed = async ({ now }: TestServer, request: () => Promise<{ status: number }>): Promise<Answer> => {
  const startedAt = now()
  const { status } = await request()
  return { status, seconds: (now() - startedAt) / 1000 }
}

/** Signs in rightful users at the same address and returns their waiting times. */
const timeRightfulUsers = async (server: TestServer) => {
  const staff = customerClient(server.app, schoolAddress)
  const signedIn = await timed(server, () => staff.request(logIn, { body: { username: email, password } }))
  const secondSignIn = await staff.request(logIn, { body: { username: email, password } })
  const refreshed = await timed(server, () =>
    staff.request(refreshTokens, { body: { refreshToken: secondSignIn.data?.refreshToken } }),
  )
  const family = await timed(server, () => guessCode(customerClient(server.app, schoolAddress), 'SPRING'))
  const session = customerClient(server.app, schoolAddress)
  await session.request(openSession, { body: {} })
  const familyWithSession = await timed(server, () => guessCode(session, 'SPRING'))
  return { signedIn, refreshed, family, familyWithSession }
}

describe.each(enginesFor(import.meta.filename))('guessing in parallel from a school’s address on $name', (engine) => {
  const database = freshDatabase(engine)

  it.each(casesOfRun(Object.entries(attacks)))(
    `${guessers} guessers (%s) lock out no one`,
    async (name, attack) => {
      const time = virtualTime()
      const deps = testDeps(database(), { clock: time.clock, wait: time.wait, semaphore: time.semaphore })
      const server: TestServer = { app: await setUp(deps), now: () => time.clock().getTime(), wait: time.wait }
      const isCodeAttack = name.includes('codes')
      await exhaust(deps, isCodeAttack ? 'code' : 'sign-in')
      let areUsersDone = false
      let guesses = 0
      const guesser = (index: number) => async () => {
        const guess = await attack(server, index)
        while (!areUsersDone) {
          await guess()
          guesses += 1
        }
        return undefined
      }
      const rightfulUsers = async () => {
        // Arrives while a guess is running.
        await time.wait(21_300)
        const result = await timeRightfulUsers(server)
        areUsersDone = true
        return result
      }
      const results = await time.runConcurrently([
        ...Array.from({ length: guessers }, (_, index) => guesser(index)),
        rightfulUsers,
      ])
      const userTimes = results.at(-1)
      process.stdout.write(`  ${engine.name}, ${guessers} ${name}: ${JSON.stringify(userTimes)}\n`)
      expect(userTimes).toMatchObject({
        signedIn: { status: 200 },
        refreshed: { status: 200 },
        family: { status: 200 },
        familyWithSession: { status: 200 },
      })
      expect(userTimes?.family.seconds).toBeLessThanOrEqual(isCodeAttack ? 5 : 1)
      expect(userTimes?.familyWithSession.seconds).toBeLessThanOrEqual(isCodeAttack ? 5 : 1)
      // Attempts at the same account run one at a time and take two seconds each.
      expect(userTimes?.signedIn.seconds).toBeLessThanOrEqual(name.includes('itself') ? 5 : 1)
      expect(userTimes?.refreshed.seconds).toBeLessThanOrEqual(1)
      expect(guesses).toBeGreaterThan(5)
      // At most ten guesses a second in total, plus those that are waiting at the end.
      expect(guesses).toBeLessThan(10 * 25 + guessers)
    },
    300_000,
  )

  type Send = (path: string, body?: object, cookie?: string) => Promise<{ cookie: string }>
  const overHttp: Record<string, (send: Send, index: number) => Promise<(guess: number) => Promise<unknown>>> = {
    'sessions that guess codes': async (send, index) => {
      const { cookie } = await send('/customer/session', {})
      return (guess) => send(`/customer/studios/riverside/jobs?code=R${index}X${guess}`, undefined, cookie)
    },
    'wrong passwords for many accounts': async (send, index) => () =>
      send('/auth/login', { username: `nobody${index}@riverside.test`, password: 'a wrong one, and long' }),
    'wrong passwords for one account after the other': async (send, index) => (guess) =>
      send('/auth/login', { username: `nobody${index}x${guess}@riverside.test`, password: 'a wrong one, and long' }),
  }

  it.each(casesOfRun(Object.entries(overHttp)))(
    `families and staff are let in over HTTP, in real time, while ${realGuessers} guessers try (%s)`,
    async (name, attack) => {
      const settings = readSettings({ NODE_ENV: 'test', TRUST_PROXY: '1' })
      let areUsersDone = false
      // Once the rightful users have been answered, all waiting requests are released.
      const semaphore = new KeyedSemaphore((milliseconds, run) => setTimeout(run, areUsersDone ? 0 : milliseconds))
      const wait = (milliseconds: number) => sleep(areUsersDone ? 0 : milliseconds)
      const deps = testDeps(database(), { clock: () => new Date(), wait, semaphore, settings })
      const app = await setUp(deps)
      await exhaust(deps, 'code')
      await exhaust(deps, 'sign-in')
      await app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.server.address() as AddressInfo // it listens on TCP
      /** Each request comes from another port of the same address, as some proxies report it. */
      let requestCount = 0
      const send = async (path: string, body?: object, cookie = '') => {
        requestCount += 1
        const headers = {
          ...{ 'x-forwarded-for': `${schoolAddress}:${10_000 + requestCount}`, cookie },
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
      const guesser = async (index: number) => {
        const guessOnce = await attack(send, index)
        for (let guess = 0; !areUsersDone; guess += 1) await guessOnce(guess)
      }
      const allGuesses = Promise.all(Array.from({ length: realGuessers }, (_, index) => guesser(index)))
      // All guessers wait, except those whose attempt is running.
      await vi.waitUntil(() => semaphore.waiting >= realGuessers - 4, { timeout: 120_000, interval: 20 })
      const signIn = () => send('/auth/login', { username: email, password })
      const signedIn = [await signIn(), await signIn(), await signIn()]
      const refreshed = await send('/auth/refresh', { refreshToken: signedIn[0]?.data?.refreshToken })
      const families = [await redeem('SPRING'), await redeem('RAPIDS')]
      areUsersDone = true
      await allGuesses
      const userTimes = [...signedIn, refreshed, ...families].map(({ status, seconds }) => ({ status, seconds }))
      process.stdout.write(`  ${engine.name}, ${realGuessers} ${name} over HTTP: ${JSON.stringify(userTimes)}\n`)
      expect(userTimes.map(({ status }) => status)).toEqual(userTimes.map(() => 200))
      // Each attempt of a guesser takes two seconds. On a busy machine only the fastest sign-in is meaningful.
      const limitOf = isLong ? Math.max : Math.min
      expect(limitOf(...signedIn.map(({ seconds }) => seconds))).toBeLessThanOrEqual(1)
      expect(refreshed.seconds).toBeLessThanOrEqual(1)
      expect(Math.max(...families.map(({ seconds }) => seconds))).toBeLessThanOrEqual(5)
    },
    300_000,
  )
})
