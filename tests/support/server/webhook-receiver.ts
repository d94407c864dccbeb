import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type ReceivedEvent = {
  id: string
  type: string
  data: Record<string, unknown>
  headers: Record<string, string>
  text: string
}

/** What the receiver does: a status, `hang` (no answer), `cut` (closes the connection after it received the event), or a redirect. */
export type ReceiverAnswer = number | 'hang' | 'cut' | { redirectTo: string }

/** A real HTTP server that records each event it receives, also those that it does not accept. */
export const startReceiver = async () => {
  const events: ReceivedEvent[] = []
  const receiver = { answerTo: (_event: ReceivedEvent): ReceiverAnswer => 204 }
  const server = createServer((request, response) => {
    void request.toArray().then((parts) => {
      const text = Buffer.concat(parts).toString()
      const { type, data } = JSON.parse(text)
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const event = { id: headers['webhook-id'] ?? '', type, data, headers, text }
      events.push(event)
      const answer = receiver.answerTo(event)
      if (answer === 'hang') return
      if (answer === 'cut') return request.socket.destroy()
      if (typeof answer === 'object') return response.writeHead(302, { location: answer.redirectTo }).end()
      response.writeHead(answer).end(answer === 204 ? undefined : 'x'.repeat(3000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const { port } = server.address() as AddressInfo // it listens on a port
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/hooks`, events, close })
}

/** Whether the package of the scheme accepts the signature of an event at a time. It refuses events that are older than five minutes. */
export const isSignedWith = ({ text, headers }: ReceivedEvent, secret: string, at = new Date()): boolean => {
  const { now } = Date
  // The package reads the clock of the system, and a test may have its own.
  Date.now = () => at.getTime()
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  } finally {
    Date.now = now
  }
}
