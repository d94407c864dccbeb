import type { Socket } from 'node:net'

/** Reads a socket on demand. Returns null when the socket ends first. */
export type SocketReader = {
  /** Everything up to the mark, mark included. */
  until: (mark: string) => Promise<Buffer | null>
  /** What is available, at least one byte. */
  some: (most: number) => Promise<Buffer | null>
}

/** The start line and the headers (names in lower case) of an HTTP/1.1 message; `raw` holds the received bytes. */
export type MessageHead = { line: string; headers: ReadonlyMap<string, string>; raw: Buffer }

export const socketReader = (socket: Socket): SocketReader => {
  let kept: Buffer = Buffer.alloc(0)
  let hasEnded = false
  let wake = (): void => undefined
  socket.on('data', (chunk) => {
    kept = Buffer.concat([kept, chunk])
    wake()
  })
  const end = (): void => {
    hasEnded = true
    wake()
  }
  socket.once('end', end).once('close', end)
  const take = (length: number): Buffer => {
    const taken = kept.subarray(0, length)
    kept = kept.subarray(length)
    return taken
  }
  const lookAgain = async (look: () => Buffer | null): Promise<Buffer | null> => {
    for (;;) {
      const found = look()
      if (found || hasEnded) return found
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return {
    until: (mark) =>
      lookAgain(() => {
        const at = kept.indexOf(mark)
        return at === -1 ? null : take(at + mark.length)
      }),
    some: (most) => lookAgain(() => (kept.length === 0 ? null : take(Math.min(most, kept.length)))),
  }
}

/** The head of the next message; null when the socket ends. */
export const readHead = async (reader: SocketReader): Promise<MessageHead | null> => {
  const raw = await reader.until('\r\n\r\n')
  if (!raw) return null
  const [line = '', ...fields] = raw.toString('latin1').trimEnd().split('\r\n')
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
  })
  return { line, headers: new Map(headers), raw }
}

/** The socket ended within a message. */
class BrokenOff extends Error {
  override name = 'BrokenOff'
}

const requireBytes = async (coming: Promise<Buffer | null>): Promise<Buffer> => {
  const bytes = await coming
  if (!bytes) throw new BrokenOff('the message is not whole')
  return bytes
}

async function* counted(reader: SocketReader, length: number): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const piece = await requireBytes(reader.some(left))
    left -= piece.length
    yield piece
  }
}

async function* chunked(reader: SocketReader): AsyncGenerator<Buffer> {
  for (;;) {
    const size = await requireBytes(reader.until('\r\n'))
    yield size
    const length = Number.parseInt(size.toString('latin1'), 16)
    if (length === 0) break
    yield* counted(reader, length + '\r\n'.length)
  }
  for (let trailer = await requireBytes(reader.until('\r\n')); ; trailer = await requireBytes(reader.until('\r\n'))) {
    yield trailer
    if (trailer.length === '\r\n'.length) return
  }
}

async function* untilClosed(reader: SocketReader): AsyncGenerator<Buffer> {
  for (let piece = await reader.some(65_536); piece; piece = await reader.some(65_536)) yield piece
}

/** The body of a request in pieces as they arrive, chunk framing included. Throws when the socket ends early. */
export const requestBody = (reader: SocketReader, { headers }: MessageHead): AsyncGenerator<Buffer> =>
  headers.get('transfer-encoding') === 'chunked'
    ? chunked(reader)
    : counted(reader, Number(headers.get('content-length') ?? 0))

const hasNoBody = ({ line }: MessageHead, method: string): boolean =>
  method === 'HEAD' || /^HTTP\/1\.\d (1\d\d|204|304)/.test(line)

/** The body of a response to a request with this method, in the same way. */
export const responseBody = (reader: SocketReader, head: MessageHead, method: string): AsyncGenerator<Buffer> => {
  if (hasNoBody(head, method)) return counted(reader, 0)
  const { headers } = head
  const isFramed = headers.has('transfer-encoding') || headers.has('content-length')
  return isFramed ? requestBody(reader, head) : untilClosed(reader)
}
