import { IDBFactory } from 'fake-indexeddb'
import type { Stamp } from '#domain/cart/mutation.ts'
import { recovery } from '#local/recovery/recovery.ts'
import type { LocalDatabase } from '#local/store/database.ts'
import {
  createRequest,
  type HttpRequest,
  type HttpResponse,
  type RequestFunction,
  type Transport,
} from '#local/transport/request.ts'
import type { Sender } from '#local/transport/send-loop.ts'
import { createSender } from '#local/transport/sender.ts'
import { createModelServer, type ModelServer } from '#support/cart-server/model-server.ts'
import { type RandomSource, seededRandom } from '#support/network/fault-plans.ts'
import { type KillableDatabase, openKillable } from './killable-database.ts'
import { isPoison, jobs } from './sequence-shop.ts'
import { type PhoneLocks, phoneLocks } from './simulated-locks.ts'
import { createTime, type VirtualTime } from './simulated-time.ts'

/** A tab, or the worker, with its own connection, sender and id generator. */
export type Tab = {
  readonly name: string
  readonly db: LocalDatabase
  readonly sender: Sender
  readonly ask: RequestFunction
  readonly stamp: Stamp
  readonly locks: ReturnType<PhoneLocks['of']>
  /** All ids that it generated since this list was emptied. */
  readonly issued: string[]
  isAlive(): boolean
  /** Closes it whatever it is doing: none of its promises settles any more. */
  kill(): void
  /** Its connection to the database dies. */
  die(): void
}

export type Phone = {
  readonly time: VirtualTime
  readonly server: ModelServer
  readonly storage: IDBFactory
  /** Violations that were observed. */
  readonly violations: string[]
  openTab(name: string): Tab
  /** Milliseconds that the phone's clock is ahead of real time. */
  clockAhead: number
  /** The current source of random numbers. */
  random: RandomSource
}

const startedAt = Date.UTC(2027, 3, 1, 10)

const never = <Value>(): Promise<Value> => new Promise(() => {})

const uuid = (random: RandomSource): string => {
  const digits = Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}

/**
 * A phone without tabs, with its server. Ids have their own source of random numbers, so that shortened sequences keep
 * their ids.
 */
export const createPhone = (seed: number): Phone => {
  const time = createTime()
  const violations: string[] = []
  const locks = phoneLocks(time, (what) => violations.push(what))
  const [first, ...others] = jobs
  const server = createModelServer(first, ...others)
  server.codes.set('TEAM', 2)
  server.failsAt = isPoison
  const ids = seededRandom(seed + 1)
  let syncsInFlight = 0

  const after = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void time.after(milliseconds, resolve))

  /** Sends a request. Each direction takes time, and the request continues even if the caller stops waiting. */
  const overNetwork = async (request: HttpRequest): Promise<HttpResponse> => {
    const losses = server.dataLossCount()
    await after(20 + phone.random() * 600)
    if (server.dataLossCount() > losses) throw new Error('the server was down')
    const response = await server.send(request)
    await after(20 + phone.random() * 600)
    return response
  }

  const openTab = (name: string): Tab => {
    const killable: KillableDatabase = openKillable(phone.storage)
    const locksOfTab = locks.of(killable)
    const issued: string[] = []
    const inFlight = new Set<() => void>()
    let isTabAlive = true
    const stamp: Stamp = {
      now: () => new Date(clock()).toISOString(),
      newId: () => {
        const id = uuid(ids)
        issued.push(id)
        return id
      },
    }
    const clock = () => startedAt + time.now() + phone.clockAhead
    const transport: Transport = (request) => {
      if (!isTabAlive) return never()
      const isSync = request.url.endsWith('/cart/sync')
      const controller = new AbortController()
      if (isSync) {
        syncsInFlight += 1
        if (syncsInFlight > 1) violations.push('two requests were in flight at once')
      }
      return new Promise((resolve, reject) => {
        const finish = () => {
          if (inFlight.delete(abort) && isSync) syncsInFlight -= 1
          return isTabAlive
        }
        const abort = () => {
          controller.abort()
          if (finish()) reject(new Error('given up'))
        }
        inFlight.add(abort)
        request.signal.addEventListener('abort', abort)
        overNetwork({ ...request, signal: controller.signal }).then(
          (response) => finish() && resolve(response),
          (reason) => finish() && reject(reason),
        )
      })
    }
    const ask = createRequest(transport, time)
    const sender = createSender({
      ...{
        db: killable.db,
        ask,
        locks: locksOfTab,
        clock,
        stamp,
        loadRecovery: async () => recovery,
        random: () => phone.random(),
      },
      timers: {
        after: (milliseconds, work) => time.after(milliseconds, () => isTabAlive && work()),
      },
    })
    return {
      ...{ name, db: killable.db, sender, ask, stamp, issued, locks: locksOfTab },
      isAlive: () => isTabAlive,
      die: killable.die,
      kill: () => {
        isTabAlive = false
        sender.stop()
        killable.vanish()
        for (const abort of [...inFlight]) abort()
        locks.release(killable)
      },
    }
  }

  const phone: Phone = {
    ...{ time, server, storage: new IDBFactory(), violations, openTab },
    clockAhead: 0,
    random: seededRandom(seed),
  }
  return phone
}
