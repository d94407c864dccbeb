import { describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import type { Deps } from '#server/deps.ts'
import type { HostProof } from '#server/ports/host-proof.ts'
import { recheckHosts } from '#server/studio/recheck-hosts.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { sampleBuild } from '../landing/sample-build.ts'
import { createStudioFixtures } from './studio-fixtures.ts'

const host = 'photos.riverside.example'
const hour = 60 * 60 * 1000
const day = 24 * hour

/** DNS as a map from host names to TXT records. */
const fakeDns = () => {
  const texts = new Map<string, string>()
  const checkedHosts: string[] = []
  const hostProof: HostProof = {
    find: async (question) => {
      checkedHosts.push(question.host)
      const text = texts.get(question.host)
      if (text === undefined) return 'missing'
      return text === question.text ? 'record' : 'other'
    },
  }
  return { texts, checkedHosts, hostProof }
}

type StudioFixtures = Awaited<ReturnType<typeof createStudioFixtures>>

const setHosts = async (studioFixtures: StudioFixtures, hosts: string[]) => {
  const { version } = (await studioFixtures.request('GET')).data
  return await studioFixtures.request('PATCH', '', { payload: { version, hosts } })
}
const checkHost = (studioFixtures: StudioFixtures, hostName = host) =>
  studioFixtures.request('POST', '/hosts/check', { payload: { hostName } })
const readFirstHost = async (studioFixtures: StudioFixtures) => (await studioFixtures.request('GET', '/hosts')).data[0]

const readStudioSlug = async (deps: Deps, name: string) => {
  const app = await buildApp(deps, await sampleBuild())
  const { body } = await app.inject({ url: '/', headers: { host: name } })
  await app.close()
  return JSON.parse(/id="landing">(.*?)<\/script>/.exec(body)?.[1] ?? '').studio?.slug ?? null
}

describe.each(enginesFor(import.meta.filename))('verifying host names on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const time = manualClock()
    const dns = fakeDns()
    const deps = testDeps(database(), { ...time, hostProof: dns.hostProof })
    const app = await testApp(deps)
    return { deps, app, dns, advance: time.advance, studioFixtures: await createStudioFixtures(deps, app) }
  }

  it("a host name shows the studio's page only once it is verified", async () => {
    const { deps, dns, studioFixtures, advance } = await setUp()
    await setHosts(studioFixtures, [host])
    const pendingHost = await readFirstHost(studioFixtures)
    expect(pendingHost).toMatchObject({
      ...{ hostName: host, unicode: null, state: 'waiting', provedAt: null, checkedAt: null, result: null },
      ...{ recordName: `_fieldproof.${host}`, fileAddress: `http://${host}/.well-known/fieldproof.txt` },
    })
    expect(pendingHost.text).toMatch(/^fieldproof=[0-9a-f]{32}$/)
    expect(await readStudioSlug(deps, host)).toBe(null)

    const missing = await checkHost(studioFixtures)
    expect([missing.status, missing.data.state]).toEqual([200, 'waiting'])
    expect(missing.data.result).toMatch(/^Neither the TXT record nor the file was found/)
    expect(await readStudioSlug(deps, host)).toBe(null)

    advance(10_000)
    dns.texts.set(host, 'fieldproof=wrong')
    expect((await checkHost(studioFixtures)).data).toMatchObject({
      state: 'waiting',
      result: expect.stringContaining('not the one'),
    })
    expect(await readStudioSlug(deps, host)).toBe(null)

    advance(10_000)
    dns.texts.set(host, pendingHost.text)
    const proved = await checkHost(studioFixtures)
    expect(proved.data).toMatchObject({ state: 'proved', result: 'The TXT record was found' })
    expect(proved.data.provedAt).toBe(deps.clock().toISOString())
    expect(await readStudioSlug(deps, host.toUpperCase())).toBe('riverside')
    expect((await studioFixtures.auditEntries()).map(({ action }) => action)).toContain('studio.host-proved')
  })

  it('a host name that is removed and added again gets a new token', async () => {
    const { deps, dns, studioFixtures } = await setUp()
    await setHosts(studioFixtures, [host])
    const { text } = await readFirstHost(studioFixtures)
    dns.texts.set(host, text)
    await checkHost(studioFixtures)
    await setHosts(studioFixtures, [host, 'second.riverside.example'])
    expect(await readFirstHost(studioFixtures)).toMatchObject({ state: 'proved', text })
    await setHosts(studioFixtures, [])
    expect(await readStudioSlug(deps, host)).toBe(null)
    await setHosts(studioFixtures, [host])
    const later = await readFirstHost(studioFixtures)
    expect(later.state).toBe('waiting')
    expect(later.text).not.toBe(text)
  })

  it('two studios may wait for one host name, and only one can verify it', async () => {
    const { deps, app, dns, studioFixtures, advance } = await setUp()
    const other = await createStudioFixtures(deps, app, 'summit')
    expect((await setHosts(studioFixtures, [host])).status).toBe(200)
    expect((await setHosts(other, [host])).status).toBe(200)
    const [text, otherText] = [(await readFirstHost(studioFixtures)).text, (await readFirstHost(other)).text]
    expect(text).not.toBe(otherText)
    dns.texts.set(host, text)
    expect((await checkHost(studioFixtures)).data.state).toBe('proved')
    dns.texts.set(host, otherText)
    expect((await checkHost(other)).data).toMatchObject({
      state: 'waiting',
      result: expect.stringContaining('Another studio has already verified'),
    })
    expect(await readStudioSlug(deps, host)).toBe('riverside')
    await setHosts(studioFixtures, [])
    advance(10_000)
    expect((await checkHost(other)).data.state).toBe('proved')
    expect(await readStudioSlug(deps, host)).toBe('summit')
  })

  it('concurrent checks verify a host name for one studio', async () => {
    const { deps, app, studioFixtures } = await setUp()
    const provingDeps = { ...deps, hostProof: { find: async () => 'record' as const } }
    const other = await createStudioFixtures(deps, app, 'summit')
    await setHosts(studioFixtures, [host])
    await setHosts(other, [host])
    await recheckHosts(provingDeps)
    const states = [(await readFirstHost(studioFixtures)).state, (await readFirstHost(other)).state]
    expect(states.sort()).toEqual(['proved', 'waiting'])
  })

  it('a studio may check its own host names every ten seconds', async () => {
    const { deps, app, dns, studioFixtures, advance } = await setUp()
    const other = await createStudioFixtures(deps, app, 'summit')
    await setHosts(studioFixtures, [host, 'b.riverside.example'])
    expect((await checkHost(studioFixtures)).status).toBe(200)
    const secondAnswer = await checkHost(studioFixtures, 'b.riverside.example')
    expect([secondAnswer.status, secondAnswer.problem]).toEqual([429, 'slow-down'])
    expect((await checkHost(other)).status).toBe(422)
    expect(dns.checkedHosts).toEqual([host])
    advance(10_000)
    expect((await checkHost(studioFixtures, 'b.riverside.example')).status).toBe(200)
  })

  it('pending host names are checked each hour for a week', async () => {
    const { deps, dns, studioFixtures, advance } = await setUp()
    await setHosts(studioFixtures, [host])
    await recheckHosts(deps)
    await recheckHosts(deps)
    expect(dns.checkedHosts).toHaveLength(1)
    advance(hour)
    await recheckHosts(deps)
    expect(dns.checkedHosts).toHaveLength(2)
    dns.texts.set(host, (await readFirstHost(studioFixtures)).text)
    advance(hour)
    await recheckHosts(deps)
    expect((await readFirstHost(studioFixtures)).state).toBe('proved')
    await setHosts(studioFixtures, ['late.riverside.example'])
    advance(7 * day)
    await recheckHosts(deps)
    expect(dns.checkedHosts).not.toContain('late.riverside.example')
  })

  it('a lost proof is logged, and the page is not shown after three days without it', async () => {
    const { deps, dns, studioFixtures, advance } = await setUp()
    const warnings: unknown[] = []
    const watchedDeps = { ...deps, log: { ...deps.log, warn: (entry: object) => void warnings.push(entry) } }
    await setHosts(studioFixtures, [host])
    const { text } = await readFirstHost(studioFixtures)
    dns.texts.set(host, text)
    await recheckHosts(watchedDeps)
    dns.texts.delete(host)
    advance(hour)
    await recheckHosts(watchedDeps)
    expect((await readFirstHost(studioFixtures)).failingSince).toBe(null)
    advance(day)
    await recheckHosts(watchedDeps)
    const failingSince = deps.clock().toISOString()
    expect(await readFirstHost(studioFixtures)).toMatchObject({ state: 'proved', failingSince })
    expect(warnings).toHaveLength(1)
    expect(await readStudioSlug(deps, host)).toBe('riverside')

    dns.texts.set(host, text)
    advance(day)
    await recheckHosts(watchedDeps)
    expect(await readFirstHost(studioFixtures)).toMatchObject({ state: 'proved', failingSince: null })

    dns.texts.delete(host)
    for (let days = 0; days < 3; days += 1) {
      advance(day)
      await recheckHosts(watchedDeps)
      expect((await readFirstHost(studioFixtures)).state).toBe('proved')
    }
    advance(day)
    await recheckHosts(watchedDeps)
    expect(await readFirstHost(studioFixtures)).toMatchObject({ state: 'waiting', provedAt: null, failingSince: null })
    expect(await readStudioSlug(deps, host)).toBe(null)
    expect((await studioFixtures.auditEntries()).at(-1)).toMatchObject({
      action: 'studio.host-lost',
      byStaff: false,
      detail: { host },
    })
  })

  it('other scripts are stored as punycode and shown in Unicode only if all letters are of one script', async () => {
    const { studioFixtures } = await setUp()
    await setHosts(studioFixtures, ['Fotos-Müller.de', 'пример.рф', 'аррӏе.com'])
    const hosts = (await studioFixtures.request('GET', '/hosts')).data.map(
      ({ hostName, unicode }: { hostName: string; unicode: string | null }) => [hostName, unicode],
    )
    expect(hosts.sort()).toEqual([
      ['xn--80ak6aa92e.com', null],
      ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
      ['xn--fotos-mller-zhb.de', 'fotos-müller.de'],
    ])
    for (const invalidHost of ['xn--a.example', 'photos.example/way', '%41.example', 'photos.example:80']) {
      const { status, fields } = await setHosts(studioFixtures, [invalidHost])
      expect([invalidHost, status, fields]).toEqual([
        invalidHost,
        422,
        { 'hosts.0': ['This value is not a valid host name'] },
      ])
    }
  })
})
