import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { LastJobRedirect } from '#client/home/last-job-redirect.tsx'
import { saveLastOpenedJob } from '#local/session.ts'
import { database } from '#platform/database.ts'
import { render } from '#support/rendering/render.tsx'

const manifest: { start_url: string; shortcuts: { url: string }[] } = JSON.parse(
  readFileSync('public/manifest.webmanifest', 'utf8'),
)
const getSource = (url: string) => new URL(url, 'https://example.test').searchParams.get('source') ?? ''
const [cartSource, codeSource] = manifest.shortcuts.map(({ url }) => getSource(url))

beforeEach(async () => {
  await database.delete()
  await database.open()
  history.pushState(null, '', '/')
})

test.each([
  ['the last job, from the installed app', getSource(manifest.start_url), '/riverside/3'],
  ['the last job’s cart, from the shortcut', cartSource, '/riverside/3/cart'],
  ['the last job’s studio, to enter another code', codeSource, '/riverside'],
])('the start URL redirects to %s', async (_, source = '', path) => {
  await saveLastOpenedJob(database, { studioSlug: 'riverside', jobId: 3 })
  render(<LastJobRedirect source={source} />)
  await vi.waitFor(() => expect(location.pathname).toMatch(new RegExp(`^${path}(/search)?$`)))
})

test.each([
  ['a device that opened no job', 'installed', null],
  ['an unknown source', 'poster', { studioSlug: 'riverside', jobId: 3 }],
])('the start URL stays on the home page for %s', async (_, source, lastJob) => {
  if (lastJob) await saveLastOpenedJob(database, lastJob)
  const deviceRead = vi.spyOn(database.device, 'get')
  render(<LastJobRedirect source={source} />)
  await Promise.all(deviceRead.mock.results.map(({ value }) => value))
  expect(location.pathname).toBe('/')
  deviceRead.mockRestore()
})
