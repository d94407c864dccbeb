import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = { authorization: string | undefined; body: unknown }
/** A response; `hang` never responds, `cut` closes the connection midway. */
export type ServiceResponse = { status: number; body: unknown } | 'hang' | 'cut'

const bodyOf = async (request: IncomingMessage): Promise<unknown> =>
  JSON.parse(Buffer.concat(await request.toArray()).toString())

/** A real HTTP service for JSON requests: records what it received and returns the responses set for it. */
export const startFakeJsonService = async () => {
  const heard: ReceivedRequest[] = []
  const peer = { heard, answer: (_body: unknown): ServiceResponse => ({ status: 200, body: {} }) }
  const server = createServer((request, response) => {
    bodyOf(request).then((body) => {
      heard.push({ authorization: request.headers.authorization, body })
      const answer = peer.answer(body)
      if (answer === 'hang') return
      if (answer === 'cut') return request.socket.destroy()
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return Object.assign(peer, { url: `http://127.0.0.1:${port}/v2/supplies`, close })
}
