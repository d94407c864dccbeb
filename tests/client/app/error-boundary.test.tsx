import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from '#client/app/error-boundary.tsx'
import { watchPreloadErrors } from '#platform/reload-on-preload-error.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'

watchPreloadErrors(window)

/** A chunk that failed to load, as the bundler's loader reports it before throwing. */
const chunkLoadError = (): Error => {
  const error = new TypeError('Failed to fetch dynamically imported module')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  return error
}

const Throwing = ({ error }: { error: Error }): never => {
  throw error
}

const renderBoundary = (error: Error) =>
  render(
    <ErrorBoundary address="/login">
      <Throwing error={error} />
    </ErrorBoundary>,
  ).box.textContent ?? ''

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

afterEach(() => {
  cleanUp()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  [false, 'There is no connection right now'],
  [true, 'This screen did not load'],
])('a screen whose code did not load reports a loading error, not a crash (network: %s)', (hasNetwork, title) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(hasNetwork)
  const text = renderBoundary(chunkLoadError())
  expect(text).toContain(title)
  expect(text).not.toContain('stopped working')
  expect(document.title).toBe(`${title} | Fieldproof`)
})

test('a bug is reported as a crash, even offline', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const text = renderBoundary(new Error('a bug'))
  expect(text).toContain('This screen stopped working')
  expect(text).not.toContain('connection')
})

test('a screen whose code is missing reloads once online, unless another screen was opened meanwhile', () => {
  const reload = vi.fn()
  vi.stubGlobal('location', { ...location, reload })
  renderBoundary(chunkLoadError())
  cleanUp()
  window.dispatchEvent(new Event('online'))
  expect(reload).not.toHaveBeenCalled()
  renderBoundary(chunkLoadError())
  window.dispatchEvent(new Event('online'))
  expect(reload).toHaveBeenCalledTimes(1)
})
