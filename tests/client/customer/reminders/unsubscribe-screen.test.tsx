import { afterEach, expect, test, vi } from 'vitest'
import { UnsubscribeScreen } from '#client/customer/reminders/unsubscribe-screen.tsx'
import { click, getButton, render, waitForPage } from '#support/rendering/render.tsx'

const token = `7-${'0'.repeat(64)}-${'A'.repeat(22)}`
const openScreen = () => render(<UnsubscribeScreen studioSlug="riverside" linkId={token} />)
const waitForText = (text: string) => waitForPage(() => expect(document.body.textContent).toContain(text))

afterEach(() => vi.unstubAllGlobals())

test('opening the link stops the reminders without another tap', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    bodies.push([method, url, JSON.parse(String(body))])
    return Response.json({ data: { studioName: 'Riverside Portraits', wasDone: false } })
  })
  openScreen()
  await waitForText('Riverside Portraits won’t send reminders to this address anymore')
  expect(bodies).toEqual([['POST', '/api/customer/reminders/unsubscribe', { token }]])
})

test('a broken link says so', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ errors: ['Not found'], problem: 'not-found' }, { status: 404 }))
  openScreen()
  await waitForText('This link doesn’t work')
})

test('without a connection the customer can try again', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  openScreen()
  await waitForText('Not stopped yet')
  vi.stubGlobal('fetch', async () => Response.json({ data: { studioName: 'Riverside Portraits', wasDone: true } }))
  click(getButton('Try again'))
  await waitForText('Reminders stopped')
})
