import type { Socket } from 'node:net'

/** Reads a socket on demand. Returns null when the socket ends first. */
export type SocketReader = {
  /** Reads everything up to and including the delimiter. */
  readUntil: (delimiter: string) => Promise<Buffer | null>
  /** Reads the available bytes, at least one and at most this many. */
  readAvailable: (maxBytes: number) => Promise<Buffer | null>
}

/** The start line and the headers (names in lower case) of an HTTP/1.1 message; `raw` holds the received bytes. */
export type MessageHead = { line: string; headers: ReadonlyMap<string, string>; raw: Buffer }

export const socketReader = (socket: Socket): SocketReader => {
  let buffered: Buffer = Buffer.alloc(0)
  let hasEnded = false
  let wake = (): void => undefined
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk])
    wake()
  })
  const end = (): void => {
    hasEnded = true
    wake()
  }
  socket.once('end', end).once('close', end)
  const take = (length: number): Buffer => {
    const bytes = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return bytes
  }
  const retryOnData = async (read: () => Buffer | null): Promise<Buffer | null> => {
    for (;;) {
      const bytes = read()
      if (bytes || hasEnded) return bytes
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    readUntil: (delimiter) =>
      retryOnData(() => {
        const index = buffered.indexOf(delimiter)
        return index === -1 ? null : take(index + delimiter.length)
      }),
    readAvailable: (maxBytes) =>
      retryOnData(() => (buffered.length === 0 ? null : take(Math.min(maxBytes, buffered.length)))),
  }
}

/** The head of the next message; null when the socket ends. */
export const readHead = async (reader: SocketReader): Promise<MessageHead | null> => {
  const raw = await reader.readUntil('\r\n\r\n')
  if (!raw) return null
  const [line = '', ...fields] = raw.toString('latin1').trimEnd().split('\r\n')
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
  })
  return { line, headers: new Map(headers), raw }
}

/** The socket ended within a message. */
class IncompleteMessage extends Error {
  override name = 'IncompleteMessage'
}

const requireBytes = async (read: Promise<Buffer | null>): Promise<Buffer> => {
  const bytes = await read
  if (!bytes) throw new IncompleteMessage('the message is incomplete')
  return bytes
}

async function* bodyOfLength(reader: SocketReader, length: number): AsyncGenerator<Buffer> {
  for (let remaining = length; remaining > 0; ) {
    const piece = await requireBytes(reader.readAvailable(remaining))
    remaining -= piece.length
    yield piece
  }
}

async function* chunkedBody(reader: SocketReader): AsyncGenerator<Buffer> {
  for (;;) {
    const size = await requireBytes(reader.readUntil('\r\n'))
    yield size
    const length = Number.parseInt(size.toString('latin1'), 16)
    if (length === 0) break
    yield* bodyOfLength(reader, length + '\r\n'.length)
  }
  for (
    let trailer = await requireBytes(reader.readUntil('\r\n'));
    ;
    trailer = await requireBytes(reader.readUntil('\r\n'))
  ) {
    yield trailer
    if (trailer.length === '\r\n'.length) return
  }
}

async function* bodyUntilClose(reader: SocketReader): AsyncGenerator<Buffer> {
  for (let piece = await reader.readAvailable(65_536); piece; piece = await reader.readAvailable(65_536)) yield piece
}

/** The body of a request in pieces as they arrive, chunk framing included. Throws when the socket ends early. */
export const requestBody = (reader: SocketReader, { headers }: MessageHead): AsyncGenerator<Buffer> =>
  headers.get('transfer-encoding') === 'chunked'
    ? chunkedBody(reader)
    : bodyOfLength(reader, Number(headers.get('content-length') ?? 0))

const hasNoBody = ({ line }: MessageHead, method: string): boolean =>
  method === 'HEAD' || /^HTTP\/1\.\d (1\d\d|204|304)/.test(line)

/** The body of the response to a request with this method, in pieces as they arrive. Throws when the socket ends early. */
export const responseBody = (reader: SocketReader, head: MessageHead, method: string): AsyncGenerator<Buffer> => {
  if (hasNoBody(head, method)) return bodyOfLength(reader, 0)
  const { headers } = head
  const isFramed = headers.has('transfer-encoding') || headers.has('content-length')
  return isFramed ? requestBody(reader, head) : bodyUntilClose(reader)
}
