import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = { authorization: string | undefined; body: unknown }
/** A response; `hang` never responds, `cut` closes the connection without a response. */
export type ServiceResponse = { status: number; body: unknown } | 'hang' | 'cut'

const readBody = async (request: IncomingMessage): Promise<unknown> =>
  JSON.parse(Buffer.concat(await request.toArray()).toString())

/** A real HTTP service for JSON requests: records what it received and sends the responses of `respond`. */
export const startFakeJsonService = async () => {
  const receivedRequests: ReceivedRequest[] = []
  const service = { receivedRequests, respond: (_body: unknown): ServiceResponse => ({ status: 200, body: {} }) }
  const server = createServer((request, response) => {
    readBody(request).then((body) => {
      receivedRequests.push({ authorization: request.headers.authorization, body })
      const answer = service.respond(body)
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
  return Object.assign(service, { url: `http://127.0.0.1:${port}/v2/supplies`, close })
}
