import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { engines, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const embedded = engines.slice(0, 1)

describe.each(embedded)('a response whose client disconnected', (engine) => {
  const database = freshDatabase(engine)

  /** Returns the server errors that are logged if a response fails with this code after the connection was closed. */
  const loggedErrors = async (code: string): Promise<unknown[]> => {
    const errors: unknown[] = []
    const log = { ...silentLog, error: (entry: object) => void errors.push(entry) }
    const app = await testApp(testDeps(database(), { log }))
    const requestFailed = new Promise<void>((resolve) => {
      app.get('/api/test/large', async (request) => {
        socket.destroy()
        await once(request.raw.socket, 'close')
        setImmediate(resolve)
        throw Object.assign(new Error('Premature close'), { code })
      })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const [bound] = app.addresses()
    const socket = connect(typeof bound === 'object' ? bound.port : 0, '127.0.0.1')
    socket.write('GET /api/test/large HTTP/1.1\r\nhost: x\r\n\r\n')
    await requestFailed
    return errors
  }

  it('a response that ends prematurely is not logged as a server error', async () => {
    expect(await loggedErrors('ERR_STREAM_PREMATURE_CLOSE')).toEqual([])
  })

  it('other errors are still logged', async () => {
    expect(await loggedErrors('ERR_OTHER')).toMatchObject([{ route: '/api/test/large' }])
  })
})
