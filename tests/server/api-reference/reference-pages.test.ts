import { describe, expect, it } from 'vitest'
import { allCalls } from '#contract/calls.ts'
import { webhookEvents } from '#domain/developers/webhooks.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

describe.each(enginesFor(import.meta.filename))('the reference of the API on $name', (engine) => {
  const database = freshDatabase(engine)
  const setUp = async () => {
    const app = await testApp(testDeps(database()))
    const read = async (url: string, headers: Record<string, string> = {}) => await app.inject({ url, headers })
    return { read }
  }

  it('the document is public, and is not sent again while it is the same', async () => {
    const { read } = await setUp()
    const { statusCode, headers, body } = await read('/api/openapi.json')
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(JSON.parse(body).openapi).toBe('3.1.0')
    const { etag = '' } = headers
    expect(await read('/api/openapi.json', { 'if-none-match': etag })).toMatchObject({ statusCode: 304, body: '' })
  })

  it('the index lists every call, and finds calls by words', async () => {
    const { read } = await setUp()
    const { body } = await read('/api/reference')
    for (const name of Object.keys(allCalls)) expect(body).toContain(`href="/api/reference/${name}"`)
    for (const event of webhookEvents) expect(body).toContain(`<code>${event}</code>`)
    const found = (await read('/api/reference?q=token%20SCOPES')).body
    expect(found).not.toContain('"/api/reference/listJobs"')
    const webLinks = [...(await read('/api/reference?q=promotions+codes')).body.matchAll(/"\/api\/reference\/(\w+)"/g)]
    expect(webLinks.map(([, name]) => name)).toEqual(['listPromotionCodes', 'postPromotionCodes'])
    expect((await read('/api/reference?q=%3Cscript%3E')).body).toContain('value="&lt;script&gt;"')
  })

  it('every call has a page with its scope, fields and problems, without scripts', async () => {
    const { read } = await setUp()
    for (const name of Object.keys(allCalls)) {
      const { statusCode, body } = await read(`/api/reference/${name}`)
      expect([name, statusCode, body.includes('<script'), body.includes('undefined')]).toEqual([
        name,
        200,
        false,
        false,
      ])
      const anchors = new Set([...body.matchAll(/id="(type-\w+)"/g)].map(([, id]) => id))
      const missing = [...body.matchAll(/href="#(type-\w+)"/g)].filter(([, id]) => !anchors.has(id))
      expect([name, missing]).toEqual([name, []])
    }
    const { body } = await read('/api/reference/postJob')
    for (const text of ['jobs:write', '/api/studioadmin/studios/{studioId}/jobs', 'eventDate', '1 to 200 characters'])
      expect(body).toContain(text)
    expect((await read('/api/reference/unknown')).statusCode).toBe(404)
  })
})
