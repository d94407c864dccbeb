import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type FaultPlan, type NetworkFault, noFaults, type RequestTarget } from './fault-plans.ts'
import {
  type MessageHead,
  readHead,
  requestBody,
  responseBody,
  type SocketReader,
  socketReader,
} from './http-message.ts'
import {
  type Throttle,
  type ThrottledDirection,
  type ThrottledWriter,
  throttledWriterTo,
  unthrottled,
} from './throttled-writer.ts'

/** A request, its time in milliseconds since 1970, and the fault it got. */
export type ProxiedRequest = RequestTarget & { at: number; fault: NetworkFault }

/** A proxy between a phone and the product that injects faults. */
export type NetworkProxy = {
  url: string
  /** Faults of the requests from here on. */
  setFaultPlan: (next: FaultPlan) => void
  /** Throttle from here on; `unhurried` by default. */
  setThrottle: (next: Throttle) => void
  /** Every request that arrived. */
  requests: ProxiedRequest[]
  /** Resolves with the next request that matches `POST /path`, once it has arrived. */
  nextRequest: (meant: RegExp) => Promise<ProxiedRequest>
  /** How often each mutation reached the product completely, by its id. */
  mutationDeliveries: ReadonlyMap<string, number>
  /** Resets open connections and refuses new ones. */
  disconnect: () => Promise<void>
  /** Accepts connections again, at the same address. */
  reconnect: () => Promise<void>
  close: () => Promise<void>
}

type BufferedRequest = { asked: RequestTarget; head: Buffer; body: Buffer }

/** The two sockets of one connection, and the throttled writer of each. */
type Connection = {
  phone: Socket
  toPhone: ThrottledWriter
  product: Socket
  toProduct: ThrottledWriter
  answers: SocketReader
}

const readAll = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))

/** The next request with its body; null when no more come. */
const readRequest = async (reader: SocketReader): Promise<BufferedRequest | null> => {
  const head = await readHead(reader)
  if (!head) return null
  const [method = '', path = ''] = head.line.split(' ')
  return { asked: { method, path }, head: head.raw, body: await readAll(requestBody(reader, head)) }
}

const maintenance = Buffer.from(
  'HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: 19\r\n\r\nBack in a moment.\r\n',
)

/** Whether the connection ends after a request. */
type Outcome = 'over' | 'goes-on'

const reset = ({ phone, product }: Connection): Outcome => {
  phone.resetAndDestroy()
  product.destroy()
  return 'over'
}

/** Discards everything that the product still sends. */
const stopResponding = ({ product }: Connection): Outcome => {
  product.removeAllListeners('close').destroy()
  return 'over'
}

const sendHalfRequest = async (connection: Connection, { head, body }: BufferedRequest): Promise<Outcome> => {
  await connection.toProduct.send(Buffer.concat([head, body.subarray(0, body.length >> 1)]))
  return reset(connection)
}

const readResponseHead = async ({ answers }: Connection): Promise<MessageHead> => {
  const head = await readHead(answers)
  if (!head) throw new Error('nobody answers')
  return head
}

const forwardResponse = async (connection: Connection, method: string): Promise<Outcome> => {
  const head = await readResponseHead(connection)
  await connection.toPhone.send(head.raw)
  for await (const piece of responseBody(connection.answers, head, method)) void connection.toPhone.send(piece)
  await connection.toPhone.flushed()
  return 'goes-on'
}

/** Waits until the product has sent its whole response, and drops it. */
const dropResponse = async (connection: Connection, method: string, fault: NetworkFault): Promise<Outcome> => {
  const head = await readResponseHead(connection)
  const body = await readAll(responseBody(connection.answers, head, method))
  if (fault === 'hang-answer') return stopResponding(connection)
  if (typeof fault === 'object' && 'meanwhile' in fault) await fault.meanwhile()
  if (fault !== 'cut-midway') return reset(connection)
  await connection.toPhone.send(Buffer.concat([head.raw, body.subarray(0, body.length >> 1)]))
  // Ended without a reset, so that the phone can read what was sent.
  connection.phone.destroy()
  connection.product.destroy()
  return 'over'
}

type ProxiedExchange = {
  connection: Connection
  letter: BufferedRequest
  fault: NetworkFault
  openingMs: number
  arrived: () => void
}

const forwardRequest = async ({ connection, letter, fault, openingMs, arrived }: ProxiedExchange): Promise<Outcome> => {
  const { method } = letter.asked
  if (fault === 'hang') return stopResponding(connection)
  if (fault === 'refuse') return reset(connection)
  if (fault === 'cut-request') return await sendHalfRequest(connection, letter)
  if (fault === 'maintenance') {
    await connection.toPhone.send(maintenance)
    return 'goes-on'
  }
  const isDelayed = typeof fault === 'object' && 'delay' in fault
  if (isDelayed) await wait(fault.delay)
  await connection.toProduct.send(Buffer.concat([letter.head, letter.body]), openingMs)
  arrived()
  return fault === 'none' || isDelayed
    ? await forwardResponse(connection, method)
    : await dropResponse(connection, method, fault)
}

/** The ids of the mutations in a request. */
const mutationIdsIn = ({ asked, body }: BufferedRequest): string[] => {
  if (!asked.path.endsWith('/cart/sync')) return []
  const { mutations } = JSON.parse(body.toString()) as { mutations: { id: string }[] }
  return mutations.map(({ id }) => id)
}

const open = (
  phone: Socket,
  port: number,
  ways: { there: ThrottledDirection; back: ThrottledDirection },
): Connection => {
  const product = connect(port, '127.0.0.1').setNoDelay(true)
  const toPhone = throttledWriterTo(phone.setNoDelay(true), ways.back)
  // When the phone closes, the product's socket closes too. An error is always followed by `close`.
  phone.on('error', () => undefined).once('close', () => product.destroy())
  product.on('error', () => undefined).once('close', () => void toPhone.flushed().then(() => phone.destroy()))
  return { phone, toPhone, product, toProduct: throttledWriterTo(product, ways.there), answers: socketReader(product) }
}

const listenAt = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a server that listens on TCP has one
}

/** Starts a proxy in front of the product on `port`. When the product is down, the proxy refuses as well. */
export const startNetworkProxy = async (port: number): Promise<NetworkProxy> => {
  let plan = noFaults
  const ways = { there: { pace: unthrottled, freeAt: 0 }, back: { pace: unthrottled, freeAt: 0 } }
  const passed: ProxiedRequest[] = []
  const seen = new Map<string, number>()
  const waiting = new Set<(one: ProxiedRequest) => void>()
  const phones = new Set<Socket>()

  const pass = (asked: RequestTarget): NetworkFault => {
    const one = { ...asked, at: Date.now(), fault: plan(asked) }
    passed.push(one)
    for (const tell of waiting) tell(one)
    return one.fault
  }
  const count = (letter: BufferedRequest) => () => {
    for (const id of mutationIdsIn(letter)) seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const serve = async (phone: Socket): Promise<void> => {
    const letters = socketReader(phone)
    const connection = open(phone, port, ways)
    // A new connection needs a handshake first.
    let openingMs = ways.there.pace.roundTripMs
    for (let letter = await readRequest(letters); letter; letter = await readRequest(letters)) {
      const fault = pass(letter.asked)
      const outcome = await forwardRequest({ connection, letter, fault, openingMs, arrived: count(letter) })
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
    setFaultPlan: (next) => {
      plan = next
    },
    setThrottle: (next) => {
      for (const way of Object.values(ways)) Object.assign(way, { pace: next, freeAt: 0 })
    },
    requests: passed,
    nextRequest: (meant) =>
      new Promise((resolve) => {
        const tell = (one: ProxiedRequest): void => {
          if (!meant.test(`${one.method} ${one.path}`)) return
          waiting.delete(tell)
          resolve(one)
        }
        waiting.add(tell)
      }),
    mutationDeliveries: seen,
    disconnect: vanish,
    reconnect: async () => {
      if (!server.listening) await listenAt(server, address)
    },
    close: vanish,
  }
}
