import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Asked, calm, type Fault, type Plan } from './fault-plans.ts'
import { answerBody, type Head, type Reader, readerOf, readHead, requestBody } from './http-message.ts'
import { type Direction, type Lane, laneTo, type Pace, unhurried } from './throttled-writer.ts'

/** A request that came, when (milliseconds since 1970), and what became of it. */
export type Passed = Asked & { at: number; fault: Fault }

/** The line between a phone and the product. */
export type Line = {
  url: string
  /** What happens from here on. */
  plan: (next: Plan) => void
  /** How slow it is from here on; `unhurried` where nobody says. */
  pace: (next: Pace) => void
  /** Every request that came. */
  passed: Passed[]
  /** The next request that is meant (`POST /path` matched), once it has come. */
  next: (meant: RegExp) => Promise<Passed>
  /** How often each mutation reached the product whole, by its id. */
  seen: ReadonlyMap<string, number>
  /** Nobody is there any more: what is open is reset, and who comes is refused. */
  vanish: () => Promise<void>
  /** They are there again, at the same address. */
  appear: () => Promise<void>
  close: () => Promise<void>
}

type Letter = { asked: Asked; head: Buffer; body: Buffer }

/** The two ends of one connection, and the ways to them. */
type Connection = {
  phone: Socket
  toPhone: Lane
  product: Socket
  toProduct: Lane
  answers: Reader
}

const gather = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))

/** The next request, whole; null when no more come. */
const readLetter = async (reader: Reader): Promise<Letter | null> => {
  const head = await readHead(reader)
  if (!head) return null
  const [method = '', path = ''] = head.line.split(' ')
  return { asked: { method, path }, head: head.raw, body: await gather(requestBody(reader, head)) }
}

const maintenance = Buffer.from(
  'HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: 19\r\n\r\nBack in a moment.\r\n',
)

/** A connection is over by one of these, or it goes on. */
type Outcome = 'over' | 'goes-on'

const reset = ({ phone, product }: Connection): Outcome => {
  phone.resetAndDestroy()
  product.destroy()
  return 'over'
}

/** What becomes of the product is not heard of any more either. */
const hang = ({ product }: Connection): Outcome => {
  product.removeAllListeners('close').destroy()
  return 'over'
}

const sendHalf = async (connection: Connection, { head, body }: Letter): Promise<Outcome> => {
  await connection.toProduct.send(Buffer.concat([head, body.subarray(0, body.length >> 1)]))
  return reset(connection)
}

const headOfAnswer = async ({ answers }: Connection): Promise<Head> => {
  const head = await readHead(answers)
  if (!head) throw new Error('nobody answers')
  return head
}

const passOn = async (connection: Connection, method: string): Promise<Outcome> => {
  const head = await headOfAnswer(connection)
  await connection.toPhone.send(head.raw)
  for await (const piece of answerBody(connection.answers, head, method)) void connection.toPhone.send(piece)
  await connection.toPhone.sent()
  return 'goes-on'
}

/** Waits until the product has said everything, and loses it. */
const loseAnswer = async (connection: Connection, method: string, fault: Fault): Promise<Outcome> => {
  const head = await headOfAnswer(connection)
  const body = await gather(answerBody(connection.answers, head, method))
  if (fault === 'hang-answer') return hang(connection)
  if (typeof fault === 'object' && 'meanwhile' in fault) await fault.meanwhile()
  if (fault !== 'cut-midway') return reset(connection)
  await connection.toPhone.send(Buffer.concat([head.raw, body.subarray(0, body.length >> 1)]))
  // Not reset: what was sent is to be read.
  connection.phone.destroy()
  connection.product.destroy()
  return 'over'
}

type Trip = { connection: Connection; letter: Letter; fault: Fault; openingMs: number; arrived: () => void }

const carry = async ({ connection, letter, fault, openingMs, arrived }: Trip): Promise<Outcome> => {
  const { method } = letter.asked
  if (fault === 'hang') return hang(connection)
  if (fault === 'refuse') return reset(connection)
  if (fault === 'cut-request') return await sendHalf(connection, letter)
  if (fault === 'maintenance') {
    await connection.toPhone.send(maintenance)
    return 'goes-on'
  }
  const isDelayed = typeof fault === 'object' && 'delay' in fault
  if (isDelayed) await wait(fault.delay)
  await connection.toProduct.send(Buffer.concat([letter.head, letter.body]), openingMs)
  arrived()
  return fault === 'none' || isDelayed ? await passOn(connection, method) : await loseAnswer(connection, method, fault)
}

/** The ids of the mutations that a request brings. */
const mutationsIn = ({ asked, body }: Letter): string[] => {
  if (!asked.path.endsWith('/cart/sync')) return []
  const { mutations } = JSON.parse(body.toString()) as { mutations: { id: string }[] }
  return mutations.map(({ id }) => id)
}

const open = (phone: Socket, port: number, ways: { there: Direction; back: Direction }): Connection => {
  const product = connect(port, '127.0.0.1').setNoDelay(true)
  const toPhone = laneTo(phone.setNoDelay(true), ways.back)
  // One who hangs up is heard of at the other end. That there was an error is said by the end of it.
  phone.on('error', () => undefined).once('close', () => product.destroy())
  product.on('error', () => undefined).once('close', () => void toPhone.sent().then(() => phone.destroy()))
  return { phone, toPhone, product, toProduct: laneTo(product, ways.there), answers: readerOf(product) }
}

const listenAt = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a server that listens on TCP has one
}

/** A line in front of the product on `port`. When nobody answers there, the line is dead, as it would be for a phone. */
export const startLine = async (port: number): Promise<Line> => {
  let plan = calm
  const ways = { there: { pace: unhurried, freeAt: 0 }, back: { pace: unhurried, freeAt: 0 } }
  const passed: Passed[] = []
  const seen = new Map<string, number>()
  const waiting = new Set<(one: Passed) => void>()
  const phones = new Set<Socket>()

  const pass = (asked: Asked): Fault => {
    const one = { ...asked, at: Date.now(), fault: plan(asked) }
    passed.push(one)
    for (const tell of waiting) tell(one)
    return one.fault
  }
  const count = (letter: Letter) => () => {
    for (const id of mutationsIn(letter)) seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const serve = async (phone: Socket): Promise<void> => {
    const letters = readerOf(phone)
    const connection = open(phone, port, ways)
    // Two ends that have never met shake hands first.
    let openingMs = ways.there.pace.roundTripMs
    for (let letter = await readLetter(letters); letter; letter = await readLetter(letters)) {
      const fault = pass(letter.asked)
      const outcome = await carry({ connection, letter, fault, openingMs, arrived: count(letter) })
      if (outcome === 'over') return
      openingMs = 0
    }
  }
  const server = createServer((phone) => {
    phones.add(phone)
    phone.once('close', () => phones.delete(phone))
    serve(phone).catch(() => phone.resetAndDestroy())
  })
  const address = await listenAt(server, 0)
  const vanish = async (): Promise<void> => {
    if (!server.listening) return
    const gone = once(server, 'close')
    server.close()
    for (const phone of phones) phone.resetAndDestroy()
    await gone
  }
  return {
    url: `http://127.0.0.1:${address}`,
    plan: (next) => {
      plan = next
    },
    pace: (next) => {
      for (const way of Object.values(ways)) Object.assign(way, { pace: next, freeAt: 0 })
    },
    passed,
    next: (meant) =>
      new Promise((resolve) => {
        const tell = (one: Passed): void => {
          if (!meant.test(`${one.method} ${one.path}`)) return
          waiting.delete(tell)
          resolve(one)
        }
        waiting.add(tell)
      }),
    seen,
    vanish,
    appear: async () => {
      if (!server.listening) await listenAt(server, address)
    },
    close: vanish,
  }
}
