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
import { events, isPoison } from './sequence-shop.ts'
import { type PhoneLocks, phoneLocks } from './simulated-locks.ts'
import { createTime, type VirtualTime } from './simulated-time.ts'

/** A tab, or the worker: its own connection, its own sender, and what it was given to name things by. */
export type Tab = {
  readonly name: string
  readonly db: LocalDatabase
  readonly sender: Sender
  readonly ask: RequestFunction
  readonly stamp: Stamp
  readonly locks: ReturnType<PhoneLocks['of']>
  /** Every id it gave since this was emptied. */
  readonly issued: string[]
  isAlive(): boolean
  /** It is closed in the midst of whatever it does: none of its promises ever go on. */
  kill(): void
  /** Its connection to the database dies. */
  die(): void
}

export type Phone = {
  readonly time: VirtualTime
  readonly server: ModelServer
  readonly storage: IDBFactory
  /** What must never happen, and did. */
  readonly wrong: string[]
  openTab(name: string): Tab
  /** Milliseconds that the phone's clock is ahead of real time. */
  clockAhead: number
  /** What comes next by chance, for as long as no other is given. */
  chance: RandomSource
}

const began = Date.UTC(2027, 3, 1, 10)

const never = <Value>(): Promise<Value> => new Promise(() => {})

const uuid = (chance: RandomSource): string => {
  const digits = Array.from({ length: 4 }, () =>
    Math.floor(chance() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}

/** A phone without tabs, and the server it will talk to. The chance of ids is its own, so that shorter sequences keep their names. */
export const createPhone = (seed: number): Phone => {
  const time = createTime()
  const wrong: string[] = []
  const locks = phoneLocks(time, (what) => wrong.push(what))
  const [first, ...others] = events
  const server = createModelServer(first, ...others)
  server.codes.set('TEAM', 2)
  server.failsAt = isPoison
  const ids = seededRandom(seed + 1)
  let syncing = 0

  const after = (milliseconds: number): Promise<void> => new Promise((done) => void time.after(milliseconds, done))

  /** Over the air: it takes its time there and back, and goes its way though nobody waits for it any more. */
  const overTheAir = async (letter: HttpRequest): Promise<HttpResponse> => {
    const losses = server.dataLossCount()
    await after(20 + phone.chance() * 600)
    if (server.dataLossCount() > losses) throw new Error('the server was down')
    const reply = await server.send(letter)
    await after(20 + phone.chance() * 600)
    return reply
  }

  const openTab = (name: string): Tab => {
    const mortal: KillableDatabase = openKillable(phone.storage)
    const given = locks.of(mortal)
    const issued: string[] = []
    const underWay = new Set<() => void>()
    let alive = true
    const stamp: Stamp = {
      now: () => new Date(clock()).toISOString(),
      newId: () => {
        const id = uuid(ids)
        issued.push(id)
        return id
      },
    }
    const clock = () => began + time.now() + phone.clockAhead
    const carry: Transport = (letter) => {
      if (!alive) return never()
      const isSync = letter.url.endsWith('/cart/sync')
      const line = new AbortController()
      if (isSync) {
        syncing += 1
        if (syncing > 1) wrong.push('two requests were under way at once')
      }
      return new Promise((resolve, reject) => {
        const over = () => {
          if (underWay.delete(drop) && isSync) syncing -= 1
          return alive
        }
        const drop = () => {
          line.abort()
          if (over()) reject(new Error('given up'))
        }
        underWay.add(drop)
        letter.signal.addEventListener('abort', drop)
        overTheAir({ ...letter, signal: line.signal }).then(
          (reply) => over() && resolve(reply),
          (reason) => over() && reject(reason),
        )
      })
    }
    const ask = createRequest(carry, time)
    const sender = createSender({
      ...{
        db: mortal.db,
        ask,
        locks: given,
        clock,
        stamp,
        loadRecovery: async () => recovery,
        random: () => phone.chance(),
      },
      timers: {
        after: (milliseconds, work) => time.after(milliseconds, () => alive && work()),
      },
    })
    return {
      ...{ name, db: mortal.db, sender, ask, stamp, issued, locks: given },
      isAlive: () => alive,
      die: mortal.die,
      kill: () => {
        alive = false
        sender.stop()
        mortal.vanish()
        for (const drop of [...underWay]) drop()
        locks.release(mortal)
      },
    }
  }

  const phone: Phone = {
    ...{ time, server, storage: new IDBFactory(), wrong, openTab },
    clockAhead: 0,
    chance: seededRandom(seed),
  }
  return phone
}
