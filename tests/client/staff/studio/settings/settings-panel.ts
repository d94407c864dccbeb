import { act } from 'react'
import { expect, vi } from 'vitest'
import { render } from '#support/rendering/render.tsx'
import { staffScreenAt, waitUntil } from '#support/rendering/render-staff-screen.tsx'

/** The panel of the studio's settings with this heading; undefined until it has loaded. */
export const findPanel = (heading: string): HTMLElement | undefined =>
  [...document.querySelectorAll('section')].find((section) => section.querySelector('h2')?.textContent === heading)

/** Opens the studio's settings, and waits until the panel shows a text. */
export const openPanel = async (heading: string, text: string): Promise<void> => {
  render(staffScreenAt('/admin/studios/7/settings'))
  await waitUntil(() => expect(findPanel(heading)?.textContent).toContain(text))
}

/** Clears a checked box of an open panel, and saves. Returns the changes that are sent, also later ones. */
export const switchOff = async (heading: string, name: string): Promise<unknown[]> => {
  const changes: unknown[] = []
  const stubbedFetch = fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method === 'PATCH') changes.push(JSON.parse(String(init.body)))
    return await stubbedFetch(url, init)
  })
  const box = findPanel(heading)?.querySelector<HTMLInputElement>(`input[name=${name}]`)
  expect(box?.checked).toBe(true)
  act(() => box?.click())
  const buttons = [...(findPanel(heading)?.querySelectorAll('button') ?? [])]
  await act(async () => buttons.find(({ textContent }) => textContent?.startsWith('Save'))?.click())
  return changes
}
