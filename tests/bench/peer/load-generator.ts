import { connect } from 'node:net'
import { quantile } from '#support/measurement/quantile.ts'

export type LoadResponse = {
  readonly status: number
  /** The status line and the headers. */
  readonly head: string
  readonly body: string
}

/** A connection that has one request in flight at a time. */
export type LoadConnection = { send: (request: Buffer) => Promise<LoadResponse>; close: () => void }

/** Formats an HTTP/1.1 request. */
export const formatRequest = (
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body?: object },
): Buffer => {
  const content = body === undefined ? '' : JSON.stringify(body)
  const contentHeaders = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(content)),
  }
  const allHeaders = { Host: '127.0.0.1', Accept: 'application/json', ...headers, ...(body && contentHeaders) }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${content}`)
}

/** The end of a response in the bytes received so far; undefined while it is incomplete. */
const findEnd = (bytes: Buffer, headEnd: number): number | undefined => {
  const head = bytes.toString('latin1', 0, headEnd)
  const start = headEnd + 4
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const last = bytes.indexOf('\r\n0\r\n\r\n', start - 2)
    return last < 0 ? undefined : last + 7
  }
  const end = start + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length < end ? undefined : end
}

/** Opens a keep-alive connection to this machine. Rejects if nothing listens. */
export const openConnection = async (port: number): Promise<LoadConnection> => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let pending: PromiseWithResolvers<LoadResponse> | undefined
  socket.on('data', (chunk) => {
    received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk
    const headEnd = received.indexOf('\r\n\r\n')
    const end = headEnd < 0 ? undefined : findEnd(received, headEnd)
    if (end === undefined) return
    const head = received.toString('latin1', 0, headEnd)
    const response = { status: Number(head.slice(9, 12)), head, body: received.toString('utf8', headEnd + 4, end) }
    received = received.subarray(end)
    pending?.resolve(response)
  })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const fail = () => pending?.reject(new Error('the connection was closed'))
  socket.on('error', fail).on('close', fail)
  return {
    send: (request) => {
      pending = Promise.withResolvers<LoadResponse>()
      socket.write(request)
      return pending.promise
    },
    close: () => socket.destroy(),
  }
}

export type Scenario = {
  /** The request for a turn of a connection, both numbered from zero. */
  readonly next: (connection: number, turn: number) => Buffer
  /** Whether the response to the request of this turn is the expected one. */
  readonly check: (response: LoadResponse, connection: number, turn: number) => boolean
}

type Load = Scenario & { readonly port: number; readonly connections: number; readonly seconds: number }

export type LoadResult = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

/**
 * Sends requests over a number of connections for some seconds; each connection waits for its response before it sends the next.
 * Throws on the first wrong response, because a server that refuses quickly is not a fast one.
 */
export const runLoad = async ({ port, connections, seconds, next, check }: Load): Promise<LoadResult> => {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const durations: number[] = []
  const start = performance.now()
  const sendUntilEnd = async (connection: LoadConnection, index: number): Promise<void> => {
    for (let turn = 0; performance.now() - start < seconds * 1_000; turn += 1) {
      const request = next(index, turn)
      const sentAt = performance.now()
      const response = await connection.send(request)
      durations.push(performance.now() - sentAt)
      if (!check(response, index, turn))
        throw new Error(`a wrong response: ${response.status} ${response.body.slice(0, 300)}`)
    }
  }
  try {
    await Promise.all(opened.map(sendUntilEnd))
  } finally {
    for (const connection of opened) connection.close()
  }
  const elapsedSeconds = (performance.now() - start) / 1_000
  return {
    perSecond: durations.length / elapsedSeconds,
    p50Ms: quantile(durations, 0.5),
    p99Ms: quantile(durations, 0.99),
  }
}
