import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What may happen to a request on its way. `refuse`: it never arrives; `cut-request`: half of it arrives; `cut-answer`: it is done,
 * and no byte of its answer comes back; `cut-midway`: half of the answer does. `delay`: it waits so many milliseconds first.
 * `meanwhile`: like `cut-answer`, with something done while the finished answer waits.
 */
export type Fault =
  | 'none'
  | 'refuse'
  | 'cut-request'
  | 'cut-answer'
  | 'cut-midway'
  | { delay: number }
  | { meanwhile: () => Promise<void> }

export type Asked = { method: string; path: string }

/** Decides what becomes of each request, in the order they come. */
export type Plan = (asked: Asked) => Fault

export const calm: Plan = () => 'none'
export const broken: Plan = () => 'refuse'

/** These faults, one for each request that is meant (`POST /path` matched), then none. */
export const inRow = (faults: readonly Fault[], meant = /./): Plan => {
  const left = [...faults]
  return ({ method, path }) => (meant.test(`${method} ${path}`) ? (left.shift() ?? 'none') : 'none')
}

/** A repeatable chance from 0 to 1 (mulberry32). */
const chanceFrom = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Each fault with its odds, for the requests that are meant; what is left of 1 is none. The same seed and the same requests give the
 * same faults.
 */
export const byChance = (seed: number, odds: readonly { fault: Fault; chance: number }[], meant = /./): Plan => {
  const chance = chanceFrom(seed)
  return ({ method, path }) => {
    if (!meant.test(`${method} ${path}`)) return 'none'
    let left = chance()
    for (const { fault, chance: share } of odds) {
      left -= share
      if (left < 0) return fault
    }
    return 'none'
  }
}

/** The line between a phone and the product. */
export type Line = {
  url: string
  /** What happens from here on. */
  plan: (next: Plan) => void
  /** Every request that came, with what became of it. */
  passed: (Asked & { fault: Fault })[]
  close: () => Promise<void>
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts)
}

type Letter = { asked: IncomingMessage; answer: ServerResponse; port: number }

/** Asks the product on a connection of its own and gives the whole answer; rejects when there is none. */
const forward = async ({ asked, port }: Letter, body: Buffer): Promise<{ head: IncomingMessage; body: Buffer }> => {
  const { method, url: path, headers } = asked
  const going = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
  going.end(body)
  const [head] = (await once(going, 'response')) as [IncomingMessage]
  return { head, body: await bodyOf(head) }
}

const sendHalf = ({ asked, port }: Letter, body: Buffer): void => {
  const { method, url: path, headers } = asked
  const going = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
  going.on('error', () => undefined)
  going.write(body.subarray(0, body.length >> 1), () => going.destroy())
}

const carry = async (letter: Letter, fault: Fault): Promise<void> => {
  const { asked, answer } = letter
  const body = await bodyOf(asked)
  if (fault === 'refuse') return void answer.destroy()
  if (fault === 'cut-request') {
    sendHalf(letter, body)
    return void answer.destroy()
  }
  if (typeof fault === 'object' && 'delay' in fault) await new Promise((go) => setTimeout(go, fault.delay))
  const whole = await forward(letter, body)
  if (typeof fault === 'object' && 'meanwhile' in fault) await fault.meanwhile()
  if (fault === 'cut-answer' || (typeof fault === 'object' && 'meanwhile' in fault)) return void answer.destroy()
  answer.writeHead(whole.head.statusCode ?? 502, whole.head.headers)
  if (fault !== 'cut-midway') return void answer.end(whole.body)
  answer.write(whole.body.subarray(0, whole.body.length >> 1), () => answer.destroy())
}

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a server that listens on TCP has one
}

/** A line in front of the product on `port`. When nobody answers there, the line is dead, as it would be for a phone. */
export const startLine = async (port: number): Promise<Line> => {
  let plan = calm
  const passed: Line['passed'] = []
  const server = createServer((asked, answer) => {
    const letter = { method: asked.method ?? 'GET', path: asked.url ?? '/' }
    const fault = plan(letter)
    passed.push({ ...letter, fault })
    carry({ asked, answer, port }, fault).catch(() => answer.destroy())
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const follow = (next: Plan): void => {
    plan = next
  }
  return { url, plan: follow, passed, close }
}
