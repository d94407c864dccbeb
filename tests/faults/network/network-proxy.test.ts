import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { faultsInOrder, type NetworkFault, noFaults, randomFaults, repeated } from '#support/network/fault-plans.ts'
import { type NetworkProxy, startNetworkProxy } from '#support/network/network-proxy.ts'

/** A server that records complete request bodies and echoes them in two pieces, at `/counted` with their length. `/nothing` returns 204. */
const startEcho = async () => {
  const receivedBodies: string[] = []
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming).catch(() => null)
    if (body === null) return
    receivedBodies.push(body)
    if (incoming.url === '/nothing') return void response.writeHead(204).end()
    if (incoming.url === '/counted') response.setHeader('content-length', Buffer.byteLength(body))
    response.write(body.slice(0, 3))
    response.end(body.slice(3))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { receivedBodies, server, port: (server.address() as AddressInfo).port }
}

const setUp = async () => {
  const echo = await startEcho()
  const proxy = await startNetworkProxy(echo.port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => {
    agent.destroy()
    return proxy.close()
  })
  /** The response as the phone gets it, or the code of the connection's error. */
  const post = async (body: string, path = '/'): Promise<string> => {
    const outgoing = request(proxy.url + path, {
      method: 'POST',
      agent,
      headers: { 'content-length': Buffer.byteLength(body) },
    })
    outgoing.end(body)
    try {
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      return `${response.statusCode} ${await text(response)}`
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    }
  }
  return { ...echo, proxy, post }
}

const withFaults = async (proxy: NetworkProxy, faults: NetworkFault[], work: () => Promise<unknown>) => {
  proxy.setFaultPlan(faultsInOrder(faults))
  const result = await work()
  proxy.setFaultPlan(noFaults)
  return result
}

describe('the network proxy between a phone and the product', () => {
  it.each(['/', '/counted'])('the proxy forwards requests and responses over one connection (%s)', async (path) => {
    const { proxy, post, receivedBodies } = await setUp()
    const longBody = 'a'.repeat(200_000)
    expect(await post('hello world', path)).toBe('200 hello world')
    expect(await post(longBody, path)).toBe(`200 ${longBody}`)
    expect(await post('', '/nothing')).toBe('204 ')
    expect(await post('again', path)).toBe('200 again')
    expect(receivedBodies).toEqual(['hello world', longBody, '', 'again'])
    expect(proxy.requests.map(({ method, path: requestPath, fault }) => [method, requestPath, fault])).toEqual([
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
  ])('with the fault %j the phone gets %s', async (fault, response, expectedBodies) => {
    const { proxy, post, receivedBodies } = await setUp()
    expect(await withFaults(proxy, [fault], () => post('hello world', '/counted'))).toBe(response)
    expect(receivedBodies).toEqual(expectedBodies)
    expect(await post('and on', '/counted')).toBe('200 and on')
  })

  it('the proxy holds a request back until a promise resolves', async () => {
    const { proxy, post, receivedBodies } = await setUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    const arrived = proxy.nextRequest(/\/held$/)
    const response = withFaults(proxy, [{ until: promise }], () => post('hello world', '/held'))
    await arrived
    expect(receivedBodies).toEqual([])
    resolve()
    expect(await response).toBe('200 hello world')
    expect(receivedBodies).toEqual(['hello world'])
  })

  it('the proxy runs a callback before it drops a finished response', async () => {
    const { proxy, post, receivedBodies } = await setUp()
    const events: string[] = []
    const meanwhile = async () => void events.push(`received ${receivedBodies.length}`)
    expect(await withFaults(proxy, [{ meanwhile }], () => post('hello'))).toBe('ECONNRESET')
    expect(events).toEqual(['received 1'])
  })

  it.each<[NetworkFault, string[]]>([
    ['hang', []],
    ['hang-answer', ['hello']],
  ])('with the fault %s the phone gets no response until its timeout', async (fault, expectedBodies) => {
    const { proxy, receivedBodies } = await setUp()
    proxy.setFaultPlan(faultsInOrder([fault]))
    const response = fetch(proxy.url, { method: 'POST', body: 'hello', signal: AbortSignal.timeout(150) })
    await expect(response).rejects.toThrow(/aborted due to timeout/)
    expect(receivedBodies).toEqual(expectedBodies)
  })

  it('the proxy counts how often each mutation reached the product completely', async () => {
    const { proxy, post } = await setUp()
    const body = JSON.stringify({ orderMethod: 'gallery', mutations: [{ id: 'one' }, { id: 'two' }] })
    proxy.setFaultPlan(faultsInOrder(['refuse', 'cut-request', 'cut-answer', 'cut-midway', 'maintenance']))
    for (let attempt = 0; attempt < 6; attempt += 1) await post(body, '/api/customer/jobs/1/cart/sync')
    expect([...proxy.mutationDeliveries]).toEqual([
      ['one', 3],
      ['two', 3],
    ])
  })

  it('the proxy refuses new connections and resets open ones while disconnected', async () => {
    const { proxy, post } = await setUp()
    expect(await post('hello')).toBe('200 hello')
    proxy.setFaultPlan(faultsInOrder(['hang']))
    const openRequest = post('hello')
    await proxy.nextRequest(/POST/)
    await proxy.disconnect()
    expect(await openRequest).toBe('ECONNRESET')
    expect(await post('hello')).toBe('ECONNREFUSED')
    await proxy.reconnect()
    expect(await post('hello')).toBe('200 hello')
  })

  it('the proxy resets connections while the product is down', async () => {
    const { server, post } = await setUp()
    expect(await post('hello')).toBe('200 hello')
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    expect(await post('hello')).toBe('ECONNRESET')
  })

  it('the proxy delays requests by the configured throttle', async () => {
    const { proxy, post } = await setUp()
    const measurePost = async (body: string): Promise<number> => {
      const started = performance.now()
      expect(await post(body)).toBe(`200 ${body}`)
      return performance.now() - started
    }
    proxy.setThrottle({ roundTripMs: 100, bytesPerSecond: Number.POSITIVE_INFINITY })
    // The first request takes two round trips, one of them for the handshake.
    expect(await measurePost('hello')).toBeGreaterThanOrEqual(198)
    expect(await measurePost('hello')).toBeGreaterThanOrEqual(98)
    proxy.setThrottle({ roundTripMs: 0, bytesPerSecond: 100_000 })
    expect(await measurePost('a'.repeat(10_000))).toBeGreaterThanOrEqual(198)
  })

  it('the proxy delivers a response on a slow link as it is transmitted', async () => {
    const { proxy } = await setUp()
    proxy.setThrottle({ roundTripMs: 0, bytesPerSecond: 20_000 })
    const body = 'x'.repeat(5_000)
    const outgoing = request(`${proxy.url}/counted`, { method: 'POST', headers: { 'content-length': body.length } })
    outgoing.end(body)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    const pieces = await Array.fromAsync(response as AsyncIterable<Buffer>)
    // The product writes two pieces, the second of nearly all bytes.
    expect(pieces.length).toBeGreaterThan(2)
    expect(Buffer.concat(pieces).toString()).toBe(body)
  })
})

describe('fault plans', () => {
  const drawFaults = (seed: number) => {
    const plan = randomFaults(seed, [{ fault: 'refuse', chance: 0.5 }], /^POST /)
    return Array.from({ length: 200 }, () => plan({ method: 'POST', path: '/' }))
  }

  it('fault plans are the same for the same seed, follow their odds, and do not affect other requests', () => {
    expect(drawFaults(7)).toEqual(drawFaults(7))
    expect(drawFaults(7)).not.toEqual(drawFaults(8))
    const refusedCount = drawFaults(7).filter((fault) => fault === 'refuse').length
    expect(refusedCount).toBeGreaterThan(70)
    expect(refusedCount).toBeLessThan(130)
    const plan = faultsInOrder(repeated(2, 'hang'), /^POST /)
    const faults = ['GET', 'POST', 'POST', 'POST'].map((method) => plan({ method, path: '/' }))
    expect(faults).toEqual(['none', 'hang', 'hang', 'none'])
  })
})
