import { describe, expect, it } from 'vitest'
import { cannotSaveMessage } from '#server/http/error-handler.ts'
import { describeStartFailure } from '#server/start-failure.ts'
import { enginesFor } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

describe.each(enginesFor(import.meta.filename))('health on $name', (engine) => {
  it('the server is healthy while its database answers', async () => {
    const database = await engine.open()
    const app = await testApp(testDeps(database))
    const healthyAnswer = await app.inject({ url: '/api/health' })
    expect(healthyAnswer.json()).toEqual({ data: { status: 'ok', build: 'none' } })
    await database.close()
    const failedAnswer = await app.inject({ url: '/api/health' })
    expect([failedAnswer.statusCode, failedAnswer.json().errors]).toEqual([500, ['An error occurred']])
  })

  it('the server is unhealthy while the disk is full, and healthy again once there is space', async () => {
    const database = await engine.open()
    let free = 1024
    const app = await testApp(testDeps(database, { freeBytes: async () => free }))
    const full = await app.inject({ url: '/api/health' })
    expect([full.statusCode, full.json().errors]).toEqual([500, ['The disk is full: nothing can be saved']])
    free = 2 ** 30
    expect((await app.inject({ url: '/api/health' })).statusCode).toBe(200)
    await database.close()
  })

  it('if the disk is full, customers get the message that nothing can be saved, and the operator gets the reason', async () => {
    const database = await engine.open()
    const full = Object.assign(new Error('could not extend file "base/5/16384": No space left'), { code: '53100' })
    const wrapped = new Error('a statement failed', { cause: full })
    const app = await testApp(testDeps(database))
    app.get('/test/full', async () => {
      throw wrapped
    })
    const answer = await app.inject({ url: '/test/full' })
    expect([answer.statusCode, answer.json().errors]).toEqual([500, [cannotSaveMessage]])
    for (const error of [full, wrapped, Object.assign(new Error('write'), { code: 'ENOSPC' })]) {
      expect(describeStartFailure(error)).toBe('The disk is full: free some space on it, then start again.\n')
    }
    await database.close()
  })
})
