import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { engines, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const embedded = engines.slice(0, 1)

describe.each(embedded)('a request that does not end', (engine) => {
  const database = freshDatabase(engine)

  /** Returns what a connection receives after an error with this code. */
  const readRefusal = async (code: string): Promise<string> => {
    const app = await testApp(testDeps(database()))
    await app.listen({ port: 0, host: '127.0.0.1' })
    app.server.once('connection', (socket) =>
      socket.once('data', () => app.server.emit('clientError', Object.assign(new Error(code), { code }), socket)),
    )
    const [bound] = app.addresses()
    const socketToServer = connect(typeof bound === 'object' ? bound.port : 0, '127.0.0.1')
    socketToServer.write(
      'POST /api/customer/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    )
    let received = ''
    socketToServer.on('data', (chunk) => {
      received += chunk
    })
    await once(socketToServer, 'end')
    return received
  }

  it('the server has timeouts for unfinished requests', async () => {
    const app = await testApp(testDeps(database()))
    expect(app.server.requestTimeout).toBeGreaterThanOrEqual(60_000)
    expect(app.server.requestTimeout).toBeLessThanOrEqual(300_000)
    expect(app.server.headersTimeout).toBeGreaterThan(0)
    expect(app.server.headersTimeout).toBeLessThanOrEqual(app.server.requestTimeout)
  })

  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
    ['HPE_INVALID_METHOD', '400 Bad Request'],
  ])('a connection with %s receives %s', async (code, status) => {
    const [head = '', body = ''] = (await readRefusal(code)).split('\r\n\r\n')
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
    expect(JSON.parse(body).errors).toHaveLength(1)
  })
})
