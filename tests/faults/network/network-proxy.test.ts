import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { faultsInOrder, type NetworkFault, noFaults, randomFaults, repeated } from '#support/network/fault-plans.ts'
import { type NetworkProxy, startNetworkProxy } from '#support/network/network-proxy.ts'

/** A server that echoes request bodies in the requested number of pieces and records the complete ones. */
const startEcho = async () => {
  const heard: string[] = []
  const server = createServer(async (asked, answer) => {
    const body = await text(asked).catch(() => null)
    if (body === null) return
    heard.push(body)
    if (asked.url === '/nothing') return void answer.writeHead(204).end()
    if (asked.url === '/counted') answer.setHeader('content-length', Buffer.byteLength(body))
    answer.write(body.slice(0, 3))
    answer.end(body.slice(3))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, server, port: (server.address() as AddressInfo).port }
}

const begin = async () => {
  const echo = await startEcho()
  const line = await startNetworkProxy(echo.port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => {
    agent.destroy()
    return line.close()
  })
  /** The response as the phone gets it, or the code of the connection's error. */
  const post = async (body: string, path = '/'): Promise<string> => {
    const going = request(line.url + path, {
      method: 'POST',
      agent,
      headers: { 'content-length': Buffer.byteLength(body) },
    })
    going.end(body)
    try {
      const [answer] = (await once(going, 'response')) as [IncomingMessage]
      return `${answer.statusCode} ${await text(answer)}`
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    }
  }
  return { ...echo, line, post }
}

const through = async (line: NetworkProxy, faults: NetworkFault[], work: () => Promise<unknown>) => {
  line.setFaultPlan(faultsInOrder(faults))
  const done = await work()
  line.setFaultPlan(noFaults)
  return done
}

describe('the line between a phone and the product', () => {
  it.each(['/', '/counted'])('carries requests and answers whole, one connection for many (%s)', async (path) => {
    const { line, post, heard } = await begin()
    const long = 'a'.repeat(200_000)
    expect(await post('hello world', path)).toBe('200 hello world')
    expect(await post(long, path)).toBe(`200 ${long}`)
    expect(await post('', '/nothing')).toBe('204 ')
    expect(await post('again', path)).toBe('200 again')
    expect(heard).toEqual(['hello world', long, '', 'again'])
    expect(line.requests.map(({ method, path: to, fault }) => [method, to, fault])).toEqual([
      ['POST', path, 'none'],
      ['POST', path, 'none'],
      ['POST', '/nothing', 'none'],
      ['POST', path, 'none'],
    ])
  })

  it.each<[NetworkFault, string, string[]]>([
    ['refuse', 'ECONNRESET', []],
    ['cut-request', 'ECONNRESET', []],
    ['cut-answer', 'ECONNRESET', ['hello world']],
    ['cut-midway', 'ECONNRESET', ['hello world']],
    ['maintenance', '503 Back in a moment.\r\n', []],
    [{ delay: 20 }, '200 hello world', ['hello world']],
  ])('%j: the phone gets %s', async (fault, got, heard) => {
    const { line, post, heard: whole } = await begin()
    expect(await through(line, [fault], () => post('hello world', '/counted'))).toBe(got)
    expect(whole).toEqual(heard)
    expect(await post('and on', '/counted')).toBe('200 and on')
  })

  it('lets something happen while a finished answer waits, which is then lost', async () => {
    const { line, post, heard } = await begin()
    const order: string[] = []
    const meanwhile = async () => void order.push(`heard ${heard.length}`)
    expect(await through(line, [{ meanwhile }], () => post('hello'))).toBe('ECONNRESET')
    expect(order).toEqual(['heard 1'])
  })

  it.each<[NetworkFault, string[]]>([
    ['hang', []],
    ['hang-answer', ['hello']],
  ])('%s: nothing comes, until the phone gives up', async (fault, heard) => {
    const { line, heard: whole } = await begin()
    line.setFaultPlan(faultsInOrder([fault]))
    const going = fetch(line.url, { method: 'POST', body: 'hello', signal: AbortSignal.timeout(150) })
    await expect(going).rejects.toThrow(/aborted due to timeout/)
    expect(whole).toEqual(heard)
  })

  it('counts how often each mutation reached the product whole', async () => {
    const { line, post } = await begin()
    const body = JSON.stringify({ orderMethod: 'gallery', mutations: [{ id: 'one' }, { id: 'two' }] })
    line.setFaultPlan(faultsInOrder(['refuse', 'cut-request', 'cut-answer', 'cut-midway', 'maintenance']))
    for (let again = 0; again < 6; again += 1) await post(body, '/api/customer/jobs/1/cart/sync')
    expect([...line.mutationDeliveries]).toEqual([
      ['one', 3],
      ['two', 3],
    ])
  })

  it('refuses new connections and resets open ones while disconnected', async () => {
    const { line, post } = await begin()
    expect(await post('hello')).toBe('200 hello')
    line.setFaultPlan(faultsInOrder(['hang']))
    const open = post('hello')
    await line.nextRequest(/POST/)
    await line.disconnect()
    expect(await open).toBe('ECONNRESET')
    expect(await post('hello')).toBe('ECONNREFUSED')
    await line.reconnect()
    expect(await post('hello')).toBe('200 hello')
  })

  it('is dead where the product is', async () => {
    const { server, post } = await begin()
    expect(await post('hello')).toBe('200 hello')
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    expect(await post('hello')).toBe('ECONNRESET')
  })

  it('delays requests by the configured throttle', async () => {
    const { line, post } = await begin()
    const timed = async (body: string): Promise<number> => {
      const started = performance.now()
      expect(await post(body)).toBe(`200 ${body}`)
      return performance.now() - started
    }
    line.setThrottle({ roundTripMs: 100, bytesPerSecond: Number.POSITIVE_INFINITY })
    // The first request takes two round trips, one of them for the handshake.
    expect(await timed('hello')).toBeGreaterThanOrEqual(198)
    expect(await timed('hello')).toBeGreaterThanOrEqual(98)
    line.setThrottle({ roundTripMs: 0, bytesPerSecond: 100_000 })
    expect(await timed('a'.repeat(10_000))).toBeGreaterThanOrEqual(198)
  })
})

describe('plans', () => {
  const drawn = (seed: number) => {
    const plan = randomFaults(seed, [{ fault: 'refuse', chance: 0.5 }], /^POST /)
    return Array.from({ length: 200 }, () => plan({ method: 'POST', path: '/' }))
  }

  it('are the same for the same seed, as their odds say, and leave alone what is not meant', () => {
    expect(drawn(7)).toEqual(drawn(7))
    expect(drawn(7)).not.toEqual(drawn(8))
    const refused = drawn(7).filter((fault) => fault === 'refuse').length
    expect(refused).toBeGreaterThan(70)
    expect(refused).toBeLessThan(130)
    const plan = faultsInOrder(repeated(2, 'hang'), /^POST /)
    const asked = ['GET', 'POST', 'POST', 'POST'].map((method) => plan({ method, path: '/' }))
    expect(asked).toEqual(['none', 'hang', 'hang', 'none'])
  })
})
