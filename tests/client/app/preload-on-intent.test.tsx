import { beforeEach, expect, test, vi } from 'vitest'
import { PreloadOnIntent } from '#client/app/preload-on-intent.tsx'
import { defineRoute } from '#platform/define-route.tsx'
import { cleanUp, fire, getElement, render } from '#support/rendering/render.tsx'

const load = vi.fn(async () => () => null)
const routes = [defineRoute({ name: 'studio', patterns: ['/:studioSlug'], title: 'Studio', load, read: () => ({}) })]

beforeEach(() => {
  load.mockClear()
  render(
    <>
      <PreloadOnIntent routes={routes} />
      <a href="/riverside">
        <span>Riverside</span>
      </a>
      <a href="https://elsewhere.test/riverside">Elsewhere</a>
      <p>Words</p>
    </>,
  )
})

test.each(['pointerover', 'touchstart', 'focusin'])(
  'a screen’s code is preloaded on %s of a link to it',
  async (intent) => {
    fire(getElement('span'), new Event(intent, { bubbles: true }))
    await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  },
)

test('nothing is preloaded for an external link, outside a link, or after unmounting', () => {
  const span = getElement('span')
  for (const target of [getElement('a:nth-of-type(2)'), getElement('p')])
    fire(target, new Event('pointerover', { bubbles: true }))
  cleanUp()
  document.body.append(span)
  fire(span, new Event('pointerover', { bubbles: true }))
  expect(load).not.toHaveBeenCalled()
  span.remove()
})
