import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true })

/** A GET over a connection that stays open, its answer read to the end as it came: as little of the client's own work as there can be. */
export const keepAliveGet = async (url: string, headers: Record<string, string>): Promise<void> => {
  const request = get(url, { agent, headers })
  const [answer] = (await once(request, 'response')) as [IncomingMessage] // as the event is documented
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`)
}

/** Ends the connections that stayed open. */
export const closeConnections = (): void => agent.destroy()
