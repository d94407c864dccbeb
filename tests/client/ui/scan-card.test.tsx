import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { click, getButton, render } from '#support/rendering/render.tsx'
import { ScanCard } from '#ui/scanner/scan-card.tsx'

type Media = { devices?: string[]; open?: () => Promise<MediaStream> }

const stubCamera = ({ devices = ['videoinput'], open = () => new Promise(() => {}) }: Media) =>
  vi.stubGlobal('navigator', {
    ...navigator,
    mediaDevices: { enumerateDevices: async () => devices.map((kind) => ({ kind })), getUserMedia: open },
  })

afterEach(() => vi.unstubAllGlobals())

const renderCard = async (onRead = (_: string): string | undefined => undefined) => {
  await act(async () => void render(<ScanCard onRead={onRead} />))
}
const pageText = () => document.body.textContent ?? ''

test.each([
  ['has no camera', { devices: ['audioinput'] }],
  ['cannot list its devices', undefined],
])('a device that %s shows no scanner', async (_, media) => {
  if (media) stubCamera(media)
  else vi.stubGlobal('navigator', { ...navigator, mediaDevices: undefined })
  await renderCard()
  expect(document.querySelector('button')).toBeNull()
})

test.each([
  ['is refused', new DOMException('no', 'NotAllowedError'), /^The camera is blocked\. You can allow it for this site/],
  ['is in use', new DOMException('no', 'NotReadableError'), /^The camera cannot be used here\./],
])('a camera that %s is explained, with what to do instead', async (_, problem, message) => {
  stubCamera({ open: () => Promise.reject(problem) })
  await renderCard()
  await act(async () => click(getButton('Scan my card')))
  await vi.waitFor(async () => {
    await act(async () => undefined)
    expect(pageText()).toContain('You can type the code from your card.')
    expect(pageText()).not.toContain('Hold the square code')
  })
  const notice = [...document.querySelectorAll('div, p')].find((element) => message.test(element.textContent ?? ''))
  expect(notice).toBeDefined()
})

test('the camera starts only after the tap, and stops with the scanner', async () => {
  const stop = vi.fn()
  const open = vi.fn(async () => ({ getTracks: () => [{ stop }] }) as unknown as MediaStream)
  stubCamera({ open })
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, set: () => undefined })
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async () => undefined)
  await renderCard()
  expect(open).not.toHaveBeenCalled()
  await act(async () => click(getButton('Scan my card')))
  await vi.waitFor(async () => {
    await act(async () => undefined)
    expect(open).toHaveBeenCalledTimes(1)
  })
  await vi.waitFor(() => expect(pageText()).toContain('Hold the square code on your card'))
  await act(async () => click(getButton('Stop the camera')))
  expect(stop).toHaveBeenCalled()
  expect(document.querySelector('video')).toBeNull()
})
