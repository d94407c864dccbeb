import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { cleanUp, render } from '#support/rendering/render.tsx'
import { chooseTheme } from '#ui/theme/theme.ts'
import { useThemeKey } from '#ui/theme/use-theme-key.ts'

let keys: string[] = []

const Canvas = () => {
  const key = useThemeKey()
  if (keys.at(-1) !== key) keys.push(key)
  return null
}

afterEach(() => {
  cleanUp()
  chooseTheme('system')
  document.documentElement.removeAttribute('style')
  keys = []
})

test('a canvas is rendered again when the theme is chosen, and when the studio has another accent', async () => {
  render(<Canvas />)
  expect(keys).toHaveLength(1)
  await act(async () => chooseTheme('dark'))
  expect(keys).toHaveLength(2)
  await act(async () => document.documentElement.style.setProperty('--studio-accent-dark', '#95c2ea'))
  expect(keys).toHaveLength(3)
  await act(async () => chooseTheme('light'))
  expect(keys).toHaveLength(4)
})

test('a canvas is rendered again when the device changes to dark colors, and no longer once it is removed', () => {
  const device = Object.assign(new EventTarget(), { matches: false })
  vi.stubGlobal('matchMedia', () => device)
  const setDark = (matches: boolean) => {
    device.matches = matches
    device.dispatchEvent(new Event('change'))
  }
  render(<Canvas />)
  act(() => setDark(true))
  expect(keys).toHaveLength(2)
  cleanUp()
  setDark(false)
  expect(keys).toHaveLength(2)
})
