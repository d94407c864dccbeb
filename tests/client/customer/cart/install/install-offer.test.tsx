import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { InstallOffer, isAppleMobileDevice } from '#client/customer/cart/install/install-offer.tsx'
import { type InstallPrompt, installPrompt, watchInstallPrompt } from '#platform/install-prompt.ts'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'

/** The browser's question, and what will be said to it. */
const question = (outcome: 'accepted' | 'dismissed') =>
  Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: vi.fn(async () => ({ outcome })),
  }) satisfies InstallPrompt

const hear = (event: Event) => act(() => window.dispatchEvent(event))
const isOffered = () => countElements('[role=status]') === 1
const settle = () => act(async () => undefined)

beforeEach(() => {
  installPrompt.set(null)
  localStorage.clear()
  watchInstallPrompt(window)
})

afterEach(() => void vi.unstubAllGlobals())

describe('an offer to put it on the home screen', () => {
  test('comes when the browser can, in its own time, not in the browser’s', () => {
    render(<InstallOffer />)
    expect(isOffered()).toBe(false)
    const asked = question('accepted')
    hear(asked)
    expect(asked.defaultPrevented).toBe(true)
    expect(isOffered()).toBe(true)
    expect(getElement('[role=status]').textContent).toContain('without a connection')
  })

  test('asks the browser’s question, and is gone once it was taken', async () => {
    const asked = question('accepted')
    hear(asked)
    render(<InstallOffer />)
    click(getButton('Add to home screen'))
    await settle()
    expect(asked.prompt).toHaveBeenCalledOnce()
    expect(isOffered()).toBe(false)
  })

  test('who says no to the browser, or puts the offer away, is not asked again', async () => {
    hear(question('dismissed'))
    const { again } = render(<InstallOffer />)
    click(getButton('Add to home screen'))
    await settle()
    hear(question('dismissed'))
    again(<InstallOffer key="another visit" />)
    expect(isOffered()).toBe(false)
    localStorage.clear()
    again(<InstallOffer key="a third" />)
    click(getButton('Dismiss'))
    again(<InstallOffer key="a fourth" />)
    expect(isOffered()).toBe(false)
  })

  test('is over once it is installed, by whatever way', () => {
    hear(question('accepted'))
    render(<InstallOffer />)
    hear(new Event('appinstalled'))
    expect(isOffered()).toBe(false)
  })

  test('shows the way where there is no question: an iPhone', () => {
    vi.stubGlobal('navigator', { userAgent: iphone, maxTouchPoints: 5 })
    render(<InstallOffer />)
    expect(getButton('Show me how')).toBeTruthy()
  })

  test('is not made to what is on the home screen already', () => {
    vi.stubGlobal('navigator', { userAgent: iphone, maxTouchPoints: 5, standalone: true })
    render(<InstallOffer />)
    expect(isOffered()).toBe(false)
  })
})

test.each([
  [iphone, 5, true],
  [mac, 5, true],
  [mac, 0, false],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 7) Chrome/156.0 Mobile Safari/537.36', 5, false],
])('%s with %i fingers: Apple’s phone or tablet %s', (userAgent, maxTouchPoints, is) => {
  expect(isAppleMobileDevice({ userAgent, maxTouchPoints })).toBe(is)
})
