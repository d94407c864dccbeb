import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** A GET over a keep-alive connection. Reads the response without parsing it, to add as little client work as possible. */
export const keepAliveGet = async (url: string, headers: Record<string, string>): Promise<void> => {
  const request = get(url, { agent, headers })
  const [answer] = (await once(request, 'response')) as [IncomingMessage] // as the event is documented
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`)
}

/** Closes the open connections. */
export const closeConnections = (): void => agent.destroy()
