import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestAtAddress } from '#server/adapters/request-at-address.ts'
import { httpWebhooks } from '#server/adapters/webhook-http.ts'

const request = { headers: {}, body: '{}' }

const startServer = async () => {
  const hosts: string[] = []
  const server = createServer(({ headers }, response) => {
    hosts.push(headers.host ?? '')
    response.end('received')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return { port, hosts }
}

const dns = (addresses: readonly string[]) => ({
  resolve4: async () => addresses.filter((address) => !address.includes(':')),
  resolve6: async () => addresses.filter((address) => address.includes(':')),
})

describe('posting to webhooks', () => {
  test.each([
    ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '100.64.0.1', '0.0.0.0', '[::1]', '[fd00::1]'],
    ...['[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '[2002:7f00:1::]'],
  ])('the private address %s is not requested', async (host) => {
    const { port, hosts } = await startServer()
    const answer = await httpWebhooks({ allowsPrivate: false }).post({ ...request, url: `http://${host}:${port}/` })
    expect([answer, hosts]).toEqual([{ error: 'The address is not a public one' }, []])
  })

  test.each([[['127.0.0.1']], [['93.184.216.34', '10.0.0.5']], [['fd00::1']], [['::ffff:10.0.0.1']]])(
    'a host name with the addresses %s is not requested',
    async (addresses) => {
      const { port, hosts } = await startServer()
      const webhooks = httpWebhooks({ allowsPrivate: false, resolver: dns(addresses) })
      const answer = await webhooks.post({ ...request, url: `http://hooks.test:${port}/` })
      expect([answer, hosts]).toEqual([{ error: 'The address is not a public one' }, []])
    },
  )

  test('a host name without an address is not requested', async () => {
    const webhooks = httpWebhooks({ allowsPrivate: false, resolver: dns([]) })
    expect(await webhooks.post({ ...request, url: 'http://localhost:1/' })).toEqual({
      error: 'The host name was not found',
    })
  })

  test('the checked address is the one that is connected to: the name is not resolved a second time', async () => {
    const { port, hosts } = await startServer()
    const url = new URL(`http://name-that-exists-nowhere.test:${port}/`)
    const signal = AbortSignal.timeout(5_000)
    const response = await requestAtAddress({ url, address: '127.0.0.1', signal, headers: {}, body: '{}' })
    response.resume()
    expect([response.statusCode, hosts]).toEqual([200, [url.host]])
  })
})
