import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** A GET over a keep-alive connection. Reads the response without parsing it, to add as little client work as possible. */
export const keepAliveGet = async (url: string, headers: Record<string, string>): Promise<void> => {
  const request = get(url, { agent, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage] // the documented arguments of the event
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
}

/** Closes the open connections. */
export const closeConnections = (): void => agent.destroy()
