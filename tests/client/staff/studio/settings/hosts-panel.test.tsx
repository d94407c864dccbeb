import { act } from 'react'
import { expect, test, vi } from 'vitest'
import type { StudioHost } from '#contract/studio/hosts.ts'
import { render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, studioResponse, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { findPanel } from './settings-panel.ts'

const unverifiedHost: StudioHost = {
  ...{ hostName: 'xn--fotos-mller-zhb.de', unicode: 'fotos-müller.de', state: 'waiting' },
  recordName: '_fieldproof.xn--fotos-mller-zhb.de',
  fileAddress: 'http://xn--fotos-mller-zhb.de/.well-known/fieldproof.txt',
  ...{ text: 'fieldproof=0123', addedAt: '2026-11-20T12:00:00.000Z', provedAt: null, failingSince: null },
  ...{ checkedAt: null, result: null },
}

let hosts: StudioHost[] = []
const requestedUrls = stubStaffServer((path) => {
  if (/\/studios\/\d+$/.test(path)) return { ...studioResponse(7), hosts: hosts.map(({ hostName }) => hostName) }
  if (path.endsWith('/hosts')) return hosts
  if (!path.endsWith('/hosts/check')) return undefined
  hosts = hosts.map((host) => ({ ...host, checkedAt: '2026-11-23T12:00:00.000Z', result: 'Nothing was found' }))
  return hosts[0]
})

const findButton = (name: string) =>
  [...(findPanel('Host names')?.querySelectorAll('button') ?? [])].find(
    (candidate) => (candidate.getAttribute('aria-label') ?? candidate.textContent) === name,
  )

test('an unverified host name shows its DNS record, copies each value and can be checked', async () => {
  hosts = [unverifiedHost]
  const writeText = vi.fn(async () => {})
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  render(staffScreenAt('/admin/studios/7/settings'))
  await waitUntil(() =>
    expect(findPanel('Host names')?.textContent).toContain('xn--fotos-mller-zhb.de (fotos-müller.de)'),
  )
  const text = findPanel('Host names')?.textContent ?? ''
  expect(text).toContain('Waiting for proof since Nov 20, 2026')
  const values = ['Record name', 'Record value', 'File address', 'File content']
  for (const name of values) await act(async () => findButton(`Copy: ${name}`)?.click())
  const { recordName, text: proof, fileAddress } = unverifiedHost
  expect(writeText.mock.calls).toEqual([[recordName], [proof], [fileAddress], [proof]])
  await act(async () => findButton('Check now')?.click())
  await waitUntil(() =>
    expect(findPanel('Host names')?.querySelector('[role=status]')?.textContent).toContain('Nothing was found'),
  )
  expect(requestedUrls.filter(({ pathname }) => pathname.endsWith('/hosts/check'))).toHaveLength(1)
})

test('a verified host name shows no instructions', async () => {
  const verifiedHost: StudioHost = { ...unverifiedHost, state: 'proved', provedAt: '2026-11-21T12:00:00.000Z' }
  hosts = [verifiedHost]
  render(staffScreenAt('/admin/studios/7/settings'))
  await waitUntil(() => expect(findPanel('Host names')?.textContent).toContain('Proved on Nov 21, 2026'))
  expect(findPanel('Host names')?.querySelectorAll('code')).toHaveLength(0)
})

test('a verified host name whose record is missing shows since when it is missing, and the instructions', async () => {
  const failingSince = '2026-11-22T12:00:00.000Z'
  hosts = [{ ...unverifiedHost, state: 'proved', provedAt: '2026-11-21T12:00:00.000Z', failingSince }]
  render(staffScreenAt('/admin/studios/7/settings'))
  await waitUntil(() =>
    expect(findPanel('Host names')?.textContent).toContain('The proof has been missing since Nov 22, 2026'),
  )
  expect(findPanel('Host names')?.querySelectorAll('code')).toHaveLength(4)
})
