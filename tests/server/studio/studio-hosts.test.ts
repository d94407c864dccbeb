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
const records = () => {
  const texts = new Map<string, string>()
  const checkedHosts: string[] = []
  const hostProof: HostProof = {
    find: async (question) => {
      checkedHosts.push(question.host)
      const found = texts.get(question.host)
      if (found === undefined) return 'missing'
      return found === question.text ? 'record' : 'other'
    },
  }
  return { texts, asked: checkedHosts, hostProof }
}

type Office = Awaited<ReturnType<typeof createStudioFixtures>>

const give = async (office: Office, hosts: string[]) => {
  const { version } = (await office.ask('GET')).data
  return await office.ask('PATCH', '', { payload: { version, hosts } })
}
const check = (office: Office, hostName = host) => office.ask('POST', '/hosts/check', { payload: { hostName } })
const first = async (office: Office) => (await office.ask('GET', '/hosts')).data[0]

const studioAt = async (deps: Deps, name: string) => {
  const app = await buildApp(deps, await sampleBuild())
  const { body } = await app.inject({ url: '/', headers: { host: name } })
  await app.close()
  return JSON.parse(/id="landing">(.*?)<\/script>/.exec(body)?.[1] ?? '').studio?.slug ?? null
}

describe.each(enginesFor(import.meta.filename))('verifying host names on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const time = manualClock()
    const dns = records()
    const deps = testDeps(database(), { ...time, hostProof: dns.hostProof })
    const app = await testApp(deps)
    return { deps, app, dns, advance: time.advance, office: await createStudioFixtures(deps, app) }
  }

  it("a host name shows the studio's page only once it is verified", async () => {
    const { deps, dns, office, advance } = await begin()
    await give(office, [host])
    const waiting = await first(office)
    expect(waiting).toMatchObject({
      ...{ hostName: host, unicode: null, state: 'waiting', provedAt: null, checkedAt: null, result: null },
      ...{ recordName: `_fieldproof.${host}`, fileAddress: `http://${host}/.well-known/fieldproof.txt` },
    })
    expect(waiting.text).toMatch(/^fieldproof=[0-9a-f]{32}$/)
    expect(await studioAt(deps, host)).toBe(null)

    const missing = await check(office)
    expect([missing.status, missing.data.state]).toEqual([200, 'waiting'])
    expect(missing.data.result).toMatch(/^Neither the TXT record nor the file was found/)
    expect(await studioAt(deps, host)).toBe(null)

    advance(10_000)
    dns.texts.set(host, 'fieldproof=wrong')
    expect((await check(office)).data).toMatchObject({
      state: 'waiting',
      result: expect.stringContaining('not the one'),
    })
    expect(await studioAt(deps, host)).toBe(null)

    advance(10_000)
    dns.texts.set(host, waiting.text)
    const proved = await check(office)
    expect(proved.data).toMatchObject({ state: 'proved', result: 'The TXT record was found' })
    expect(proved.data.provedAt).toBe(deps.clock().toISOString())
    expect(await studioAt(deps, host.toUpperCase())).toBe('riverside')
    expect((await office.trail()).map(({ action }) => action)).toContain('studio.host-proved')
  })

  it('a host name that is removed and added again gets a new token', async () => {
    const { deps, dns, office } = await begin()
    await give(office, [host])
    const { text } = await first(office)
    dns.texts.set(host, text)
    await check(office)
    await give(office, [host, 'second.riverside.example'])
    expect(await first(office)).toMatchObject({ state: 'proved', text })
    await give(office, [])
    expect(await studioAt(deps, host)).toBe(null)
    await give(office, [host])
    const later = await first(office)
    expect(later.state).toBe('waiting')
    expect(later.text).not.toBe(text)
  })

  it('two studios may wait for one host name, and only one can verify it', async () => {
    const { deps, app, dns, office, advance } = await begin()
    const other = await createStudioFixtures(deps, app, 'summit')
    expect((await give(office, [host])).status).toBe(200)
    expect((await give(other, [host])).status).toBe(200)
    const [mine, theirs] = [(await first(office)).text, (await first(other)).text]
    expect(mine).not.toBe(theirs)
    dns.texts.set(host, mine)
    expect((await check(office)).data.state).toBe('proved')
    dns.texts.set(host, theirs)
    expect((await check(other)).data).toMatchObject({
      state: 'waiting',
      result: expect.stringContaining('Another studio has already proved'),
    })
    expect(await studioAt(deps, host)).toBe('riverside')
    await give(office, [])
    advance(10_000)
    expect((await check(other)).data.state).toBe('proved')
    expect(await studioAt(deps, host)).toBe('summit')
  })

  it('concurrent checks verify a host name for one studio', async () => {
    const { deps, app, office } = await begin()
    const sure = { ...deps, hostProof: { find: async () => 'record' as const } }
    const other = await createStudioFixtures(deps, app, 'summit')
    await give(office, [host])
    await give(other, [host])
    await recheckHosts(sure)
    const states = [(await first(office)).state, (await first(other)).state]
    expect(states.sort()).toEqual(['proved', 'waiting'])
  })

  it('a studio may check its own host names every ten seconds', async () => {
    const { deps, app, dns, office, advance } = await begin()
    const other = await createStudioFixtures(deps, app, 'summit')
    await give(office, [host, 'b.riverside.example'])
    expect((await check(office)).status).toBe(200)
    const soon = await check(office, 'b.riverside.example')
    expect([soon.status, soon.problem]).toEqual([429, 'slow-down'])
    expect((await check(other)).status).toBe(422)
    expect(dns.asked).toEqual([host])
    advance(10_000)
    expect((await check(office, 'b.riverside.example')).status).toBe(200)
  })

  it('pending host names are checked each hour for a week', async () => {
    const { deps, dns, office, advance } = await begin()
    await give(office, [host])
    await recheckHosts(deps)
    await recheckHosts(deps)
    expect(dns.asked).toHaveLength(1)
    advance(hour)
    await recheckHosts(deps)
    expect(dns.asked).toHaveLength(2)
    dns.texts.set(host, (await first(office)).text)
    advance(hour)
    await recheckHosts(deps)
    expect((await first(office)).state).toBe('proved')
    await give(office, ['late.riverside.example'])
    advance(7 * day)
    await recheckHosts(deps)
    expect(dns.asked).not.toContain('late.riverside.example')
  })

  it('a lost proof is logged, and the page is not shown after three days without it', async () => {
    const { deps, dns, office, advance } = await begin()
    const warned: unknown[] = []
    const watched = { ...deps, log: { ...deps.log, warn: (facts: object) => void warned.push(facts) } }
    await give(office, [host])
    const { text } = await first(office)
    dns.texts.set(host, text)
    await recheckHosts(watched)
    dns.texts.delete(host)
    advance(hour)
    await recheckHosts(watched)
    expect((await first(office)).failingSince).toBe(null)
    advance(day)
    await recheckHosts(watched)
    const failingSince = deps.clock().toISOString()
    expect(await first(office)).toMatchObject({ state: 'proved', failingSince })
    expect(warned).toHaveLength(1)
    expect(await studioAt(deps, host)).toBe('riverside')

    dns.texts.set(host, text)
    advance(day)
    await recheckHosts(watched)
    expect(await first(office)).toMatchObject({ state: 'proved', failingSince: null })

    dns.texts.delete(host)
    for (let days = 0; days < 3; days += 1) {
      advance(day)
      await recheckHosts(watched)
      expect((await first(office)).state).toBe('proved')
    }
    advance(day)
    await recheckHosts(watched)
    expect(await first(office)).toMatchObject({ state: 'waiting', provedAt: null, failingSince: null })
    expect(await studioAt(deps, host)).toBe(null)
    expect((await office.trail()).at(-1)).toMatchObject({ action: 'studio.host-lost', mine: false, detail: { host } })
  })

  it('other scripts are stored as punycode and shown in Unicode only if all letters are of one script', async () => {
    const { office } = await begin()
    await give(office, ['Fotos-Müller.de', 'пример.рф', 'аррӏе.com'])
    const shown = (await office.ask('GET', '/hosts')).data.map(
      ({ hostName, unicode }: { hostName: string; unicode: string | null }) => [hostName, unicode],
    )
    expect(shown.sort()).toEqual([
      ['xn--80ak6aa92e.com', null],
      ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
      ['xn--fotos-mller-zhb.de', 'fotos-müller.de'],
    ])
    for (const bad of ['xn--a.example', 'photos.example/way', '%41.example', 'photos.example:80']) {
      const { status, fields } = await give(office, [bad])
      expect([bad, status, fields]).toEqual([bad, 422, { 'hosts.0': ['This value is not a valid host name'] }])
    }
  })
})
