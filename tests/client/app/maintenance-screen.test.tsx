import { afterEach, expect, test, vi } from 'vitest'
import { MaintenanceScreen } from '#client/app/maintenance-screen.tsx'
import { cleanUp, render, waitForPage } from '#support/rendering/render.tsx'

const title = 'We’ll be back in a moment'

const renderWithHealth = (data: object) => {
  history.replaceState(null, '', '/maintenance?from=%2Fiverside')
  vi.stubGlobal('fetch', async () => Response.json({ data: { status: 'ok', build: 'b', ...data } }))
  return render(<MaintenanceScreen from="/riverside" />).box
}

afterEach(() => {
  cleanUp()
  vi.unstubAllGlobals()
})

test('the message of the administrators is shown during maintenance, as text', async () => {
  const box = renderWithHealth({ maintenance: 'New <b>servers</b> until ten.' })
  await waitForPage(() =>
    expect(box.querySelector('[role="status"]')?.textContent).toBe('New <b>servers</b> until ten.'),
  )
  expect(box.querySelector('h1')?.textContent).toBe(title)
})

test('the usual message is not shown twice', async () => {
  const box = renderWithHealth({ maintenance: title })
  await waitForPage(() => expect(box.textContent).toContain('Everything you chose is saved'))
  expect(box.querySelector('[role="status"]')).toBeNull()
})

test('the screen is left once the server serves screens again', async () => {
  renderWithHealth({})
  await waitForPage(() => expect(location.pathname).toBe('/riverside'))
})
