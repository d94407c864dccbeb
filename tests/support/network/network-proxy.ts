import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
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
  /** Sets the plan for the faults of the following requests. */
  setFaultPlan: (plan: FaultPlan) => void
  /** Sets the throttle of the following bytes. `unthrottled` is the default. */
  setThrottle: (throttle: Throttle) => void
  /** Every request that arrived. */
  requests: ProxiedRequest[]
  /** Resolves with the next request that matches `POST /path`, once it has arrived. */
  nextRequest: (pattern: RegExp) => Promise<ProxiedRequest>
  /** How often each mutation reached the product completely, by its id. */
  mutationDeliveries: ReadonlyMap<string, number>
  /** Resets open connections and refuses new ones. */
  disconnect: () => Promise<void>
  /** Accepts connections again, at the same address. */
  reconnect: () => Promise<void>
  close: () => Promise<void>
}

type BufferedRequest = { target: RequestTarget; head: Buffer; body: Buffer }

/** The two sockets of one connection, and the throttled writer of each. */
type Connection = {
  phone: Socket
  toPhone: ThrottledWriter
  product: Socket
  toProduct: ThrottledWriter
  responseReader: SocketReader
}

const readAll = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))

/** The next request with its body; null when no more come. */
const readRequest = async (reader: SocketReader): Promise<BufferedRequest | null> => {
  const head = await readHead(reader)
  if (!head) return null
  const [method = '', path = ''] = head.line.split(' ')
  return { target: { method, path }, head: head.raw, body: await readAll(requestBody(reader, head)) }
}

const maintenance = Buffer.from(
  'HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: 19\r\n\r\nBack in a moment.\r\n',
)

/** Whether the connection ends after a request. */
type Outcome = 'closed' | 'open'

const reset = ({ phone, product }: Connection): Outcome => {
  phone.resetAndDestroy()
  product.destroy()
  return 'closed'
}

/** Discards everything that the product still sends. */
const stopResponding = ({ product }: Connection): Outcome => {
  product.removeAllListeners('close').destroy()
  return 'closed'
}

const sendHalfRequest = async (connection: Connection, { head, body }: BufferedRequest): Promise<Outcome> => {
  await connection.toProduct.send(Buffer.concat([head, body.subarray(0, body.length >> 1)]))
  return reset(connection)
}

const readResponseHead = async ({ responseReader }: Connection): Promise<MessageHead> => {
  const head = await readHead(responseReader)
  if (!head) throw new Error('the product closed the connection')
  return head
}

const forwardResponse = async (connection: Connection, method: string): Promise<Outcome> => {
  const head = await readResponseHead(connection)
  await connection.toPhone.send(head.raw)
  for await (const piece of responseBody(connection.responseReader, head, method)) void connection.toPhone.send(piece)
  await connection.toPhone.flushed()
  return 'open'
}

/** Waits until the product has sent its whole response, and drops it. */
const dropResponse = async (connection: Connection, method: string, fault: NetworkFault): Promise<Outcome> => {
  const head = await readResponseHead(connection)
  const body = await readAll(responseBody(connection.responseReader, head, method))
  if (fault === 'hang-answer') return stopResponding(connection)
  if (typeof fault === 'object' && 'meanwhile' in fault) await fault.meanwhile()
  if (fault !== 'cut-midway') return reset(connection)
  await connection.toPhone.send(Buffer.concat([head.raw, body.subarray(0, body.length >> 1)]))
  // Closes the connection without a reset, so that the phone can read the sent bytes.
  connection.phone.destroy()
  connection.product.destroy()
  return 'closed'
}

type ProxiedExchange = {
  connection: Connection
  request: BufferedRequest
  fault: NetworkFault
  handshakeMs: number
  onArrived: () => void
}

const forwardRequest = async ({
  connection,
  request,
  fault,
  handshakeMs,
  onArrived,
}: ProxiedExchange): Promise<Outcome> => {
  const { method } = request.target
  if (fault === 'hang') return stopResponding(connection)
  if (fault === 'refuse') return reset(connection)
  if (fault === 'cut-request') return await sendHalfRequest(connection, request)
  if (fault === 'maintenance') {
    await connection.toPhone.send(maintenance)
    return 'open'
  }
  const isHeldBack = typeof fault === 'object' && 'until' in fault
  if (isHeldBack) await fault.until
  await connection.toProduct.send(Buffer.concat([request.head, request.body]), handshakeMs)
  onArrived()
  return fault === 'none' || isHeldBack
    ? await forwardResponse(connection, method)
    : await dropResponse(connection, method, fault)
}

/** The ids of the mutations in a request. */
const mutationIdsIn = ({ target, body }: BufferedRequest): string[] => {
  if (!target.path.endsWith('/cart/sync')) return []
  const { mutations } = JSON.parse(body.toString()) as { mutations: { id: string }[] }
  return mutations.map(({ id }) => id)
}

const openConnection = (
  phone: Socket,
  port: number,
  directions: { upstream: ThrottledDirection; downstream: ThrottledDirection },
): Connection => {
  const product = connect(port, '127.0.0.1').setNoDelay(true)
  const toPhone = throttledWriterTo(phone.setNoDelay(true), directions.downstream)
  // When the phone closes, the product's socket closes too. An error is always followed by `close`.
  phone.on('error', () => undefined).once('close', () => product.destroy())
  product.on('error', () => undefined).once('close', () => void toPhone.flushed().then(() => phone.destroy()))
  return {
    phone,
    toPhone,
    product,
    toProduct: throttledWriterTo(product, directions.upstream),
    responseReader: socketReader(product),
  }
}

const listenAt = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a server that listens on TCP has one
}

/** Starts a proxy in front of the product on `port`. When the product is down, the proxy resets connections. */
export const startNetworkProxy = async (port: number): Promise<NetworkProxy> => {
  let plan = noFaults
  const directions = {
    upstream: { throttle: unthrottled, freeAt: 0 },
    downstream: { throttle: unthrottled, freeAt: 0 },
  }
  const requests: ProxiedRequest[] = []
  const deliveries = new Map<string, number>()
  const listeners = new Set<(request: ProxiedRequest) => void>()
  const phones = new Set<Socket>()

  const recordRequest = (target: RequestTarget): NetworkFault => {
    const request = { ...target, at: Date.now(), fault: plan(target) }
    requests.push(request)
    for (const listener of listeners) listener(request)
    return request.fault
  }
  const countDeliveries = (request: BufferedRequest) => () => {
    for (const id of mutationIdsIn(request)) deliveries.set(id, (deliveries.get(id) ?? 0) + 1)
  }
  const serve = async (phone: Socket): Promise<void> => {
    const reader = socketReader(phone)
    const connection = openConnection(phone, port, directions)
    // A new connection needs a handshake first.
    let handshakeMs = directions.upstream.throttle.roundTripMs
    for (let request = await readRequest(reader); request; request = await readRequest(reader)) {
      const fault = recordRequest(request.target)
      const outcome = await forwardRequest({
        connection,
        request,
        fault,
        handshakeMs,
        onArrived: countDeliveries(request),
      })
      if (outcome === 'closed') return
      handshakeMs = 0
    }
  }
  const server = createServer((phone) => {
    phones.add(phone)
    phone.once('close', () => phones.delete(phone))
    serve(phone).catch(() => phone.resetAndDestroy())
  })
  const proxyPort = await listenAt(server, 0)
  const closeServer = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const phone of phones) phone.resetAndDestroy()
    await closed
  }
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    setFaultPlan: (next) => {
      plan = next
    },
    setThrottle: (throttle) => {
      for (const direction of Object.values(directions)) Object.assign(direction, { throttle, freeAt: 0 })
    },
    requests,
    nextRequest: (pattern) =>
      new Promise((resolve) => {
        const listener = (request: ProxiedRequest): void => {
          if (!pattern.test(`${request.method} ${request.path}`)) return
          listeners.delete(listener)
          resolve(request)
        }
        listeners.add(listener)
      }),
    mutationDeliveries: deliveries,
    disconnect: closeServer,
    reconnect: async () => {
      if (!server.listening) await listenAt(server, proxyPort)
    },
    close: closeServer,
  }
}
