import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { InstallOffer, isAppleMobileDevice } from '#client/customer/cart/install/install-offer.tsx'
import { type InstallPrompt, installPrompt, watchInstallPrompt } from '#platform/install-prompt.ts'
import { click, countElements, getButton, getElement, render } from '#support/rendering/render.tsx'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'

/** The browser's install prompt with a given outcome. */
const makePrompt = (outcome: 'accepted' | 'dismissed') =>
  Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: vi.fn(async () => ({ outcome })),
  }) satisfies InstallPrompt

const dispatch = (event: Event) => act(() => window.dispatchEvent(event))
const isOffered = () => countElements('[role=status]') === 1
const settle = () => act(async () => undefined)

beforeEach(() => {
  installPrompt.set(null)
  localStorage.clear()
  watchInstallPrompt(window)
})

afterEach(() => void vi.unstubAllGlobals())

describe('the install offer', () => {
  test('appears once the browser offers installation, and replaces the browser’s own bar', () => {
    render(<InstallOffer />)
    expect(isOffered()).toBe(false)
    const prompt = makePrompt('accepted')
    dispatch(prompt)
    expect(prompt.defaultPrevented).toBe(true)
    expect(isOffered()).toBe(true)
    expect(getElement('[role=status]').textContent).toContain('even offline')
  })

  test('opens the browser’s prompt and disappears after it is accepted', async () => {
    const prompt = makePrompt('accepted')
    dispatch(prompt)
    render(<InstallOffer />)
    click(getButton('Add to home screen'))
    await settle()
    expect(prompt.prompt).toHaveBeenCalledOnce()
    expect(isOffered()).toBe(false)
  })

  test('is not repeated after declining the prompt or dismissing the offer', async () => {
    dispatch(makePrompt('dismissed'))
    const { rerender } = render(<InstallOffer />)
    click(getButton('Add to home screen'))
    await settle()
    dispatch(makePrompt('dismissed'))
    rerender(<InstallOffer key="another visit" />)
    expect(isOffered()).toBe(false)
    localStorage.clear()
    rerender(<InstallOffer key="a third" />)
    click(getButton('Dismiss'))
    rerender(<InstallOffer key="a fourth" />)
    expect(isOffered()).toBe(false)
  })

  test('disappears once the app is installed', () => {
    dispatch(makePrompt('accepted'))
    render(<InstallOffer />)
    dispatch(new Event('appinstalled'))
    expect(isOffered()).toBe(false)
  })

  test('shows manual steps on an iPhone, which has no prompt', () => {
    vi.stubGlobal('navigator', { userAgent: iphone, maxTouchPoints: 5 })
    render(<InstallOffer />)
    expect(getButton('Show me how')).toBeTruthy()
  })

  test('is not shown in the installed app', () => {
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
])('%s with %i touch points is an Apple mobile device: %s', (userAgent, maxTouchPoints, expected) => {
  expect(isAppleMobileDevice({ userAgent, maxTouchPoints })).toBe(expected)
})
